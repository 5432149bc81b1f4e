import { isUtf8 } from 'node:buffer';

/** Bytes of one row at most: three texts of 1 MiB in which every byte is escaped, and the rest of the row. */
export const ROW_BYTES_MAX = 32 * 1024 * 1024;

/** One line without its LF. text is null where the bytes are no UTF-8, the line is too long or its LF is missing. */
export type Line = { readonly number: number; readonly text: string | null };

/** Cuts bytes into lines, whatever the chunks; holds one line at most. */
export type LineCutter = {
  /** @returns the lines that this chunk completes. */
  push(chunk: Buffer): Line[];
  /** @returns what stands after the last LF: a broken line, or none. */
  end(): Line[];
  readonly count: number;
};

const LF = 10;

/** @returns a cutter at line 1. */
export function cutLines(): LineCutter {
  let count = 0;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  const take = (last: Buffer): Line => {
    count++;
    const bytes = waitingBytes + last.length;
    const whole = waiting.length === 0 ? last : Buffer.concat([...waiting, last]);
    waiting = [];
    waitingBytes = 0;
    return { number: count, text: bytes <= ROW_BYTES_MAX && isUtf8(whole) ? whole.toString('utf8') : null };
  };
  const keep = (rest: Buffer): void => {
    if (rest.length === 0) return;
    waitingBytes += rest.length;
    // Beyond the limit only the length matters: the line is bad, and must not fill the memory.
    if (waitingBytes <= ROW_BYTES_MAX) waiting.push(rest);
    else waiting = [];
  };
  return {
    push(chunk) {
      const lines: Line[] = [];
      let from = 0;
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, from)) {
        lines.push(take(chunk.subarray(from, at)));
        from = at + 1;
      }
      keep(chunk.subarray(from));
      return lines;
    },
    end() {
      if (waitingBytes === 0) return [];
      count++;
      return [{ number: count, text: null }];
    },
    get count() {
      return count;
    },
  };
}

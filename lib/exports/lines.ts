import { isUtf8 } from 'node:buffer';
import * as kernel from '../kernel/lines.ts';

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

/** @returns a cutter at line 1. */
export function cutLines(): LineCutter {
  const splitter = kernel.lineSplitter(ROW_BYTES_MAX);
  let count = 0;
  const read = (lines: readonly kernel.Line[]): Line[] => {
    count += lines.length;
    return lines.map(({ number, bytes, ended }) => ({ number, text: ended && bytes ? decoded(bytes) : null }));
  };
  return {
    push: (chunk) => read(splitter.push(chunk)),
    end: () => read(splitter.end()),
    get count() {
      return count;
    },
  };
}

function decoded(bytes: Uint8Array): string | null {
  return isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8') : null;
}

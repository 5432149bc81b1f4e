const LF = 0x0a;

/** One physical line without its newline; `bytes` is null where it was larger than a line may be. */
export type Line = {
  readonly number: number;
  readonly bytes: Uint8Array | null;
  /** False for a last line that no newline ends. */
  readonly ended: boolean;
};

/**
 * Cuts a stream of bytes into lines. Lines are cut before they are decoded, so that no character is ever split, and a
 * line that is too large is counted without being kept.
 * @returns `push` for each chunk and `end` after the last, both giving the lines that became whole.
 */
export function lineSplitter(maxBytes: number): {
  push(chunk: Uint8Array): Line[];
  end(): Line[];
} {
  let number = 0;
  let held: Uint8Array[] = [];
  let heldBytes = 0;

  const hold = (piece: Uint8Array): void => {
    heldBytes += piece.length;
    if (heldBytes > maxBytes) held = [];
    else if (piece.length > 0) held.push(piece);
  };
  const take = (last: Uint8Array, ended: boolean): Line => {
    number++;
    const bytes = heldBytes + last.length;
    const line = bytes > maxBytes ? null : heldBytes === 0 ? last : Buffer.concat([...held, last], bytes);
    held = [];
    heldBytes = 0;
    return { number, bytes: line, ended };
  };
  return {
    push: (chunk) => {
      const lines: Line[] = [];
      let from = 0;
      for (;;) {
        const at = chunk.indexOf(LF, from);
        if (at < 0) break;
        lines.push(take(chunk.subarray(from, at), true));
        from = at + 1;
      }
      // Copied: a reader may fill its chunk anew while we hold the rest of it.
      if (from < chunk.length) hold(Buffer.from(chunk.subarray(from)));
      return lines;
    },
    end: () => (heldBytes > 0 ? [take(new Uint8Array(0), false)] : []),
  };
}

import type { RowFault } from './fault.ts';
import type { RowFields } from './row.ts';

/** One row as it was read: its members, or why it has none. */
export type RawRow =
  | { readonly line: number; readonly fields: RowFields }
  | { readonly line: number; readonly fault: RowFault };

/** What was counted while a file was read. */
export type FileTally = {
  blankLines: number;
  /** The last row is cut off: the file is probably not all there. */
  truncated: boolean;
  /** The physical line after which nothing could be read for certain, or null. */
  unreadableFrom: number | null;
};

/** @returns a tally before the first line. */
export function emptyTally(): FileTally {
  return { blankLines: 0, truncated: false, unreadableFrom: null };
}

const BOM = [0xef, 0xbb, 0xbf] as const;

/** @returns the bytes without a byte order mark at their beginning; a second one is text. */
export function withoutBom(bytes: Uint8Array): Uint8Array {
  return BOM.every((byte, at) => bytes[at] === byte) ? bytes.subarray(BOM.length) : bytes;
}

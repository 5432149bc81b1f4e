import { parseJson } from '../../kernel/json.ts';

export const IMPORT_FORMATS = ['ndjson', 'csv'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** Bytes that are looked at before the first row. */
export const SNIFF_BYTES = 65_536;

const SCRIPT = /^(?:(?:var|let|const)\s+)?[A-Za-z_$][\w$.]*(?:\[[^\]]*\])*\s*=\s*[[{]/;

/** @returns the format that a file's ending says; what says nothing is taken as NDJSON and looked at. */
export function formatOf(fileName: string): ImportFormat {
  return /\.(?:csv|tsv)$/i.test(fileName) ? 'csv' : 'ndjson';
}

/** What people hand in by mistake. */
export type LookAlike =
  | 'gzip'
  | 'zip'
  | 'utf16'
  | 'markup'
  | 'javascript'
  | 'json_array'
  | 'json_document'
  | 'ndjson'
  | 'csv';

/**
 * Looks at the beginning of a file for what people hand in by mistake.
 * @param head its first bytes, up to SNIFF_BYTES, without a byte order mark.
 * @param whole true where that is all of it.
 * @returns what it looks like, or null where nothing speaks against the format.
 */
export function looksLikeAnother(head: Uint8Array, format: ImportFormat, whole: boolean): LookAlike | null {
  const binary = binaryKind(head);
  if (binary !== null) return binary;
  const lines = new TextDecoder('utf-8').decode(head).split('\n');
  // The last line may be cut off by the end of what we look at.
  const complete = (whole ? lines : lines.slice(0, -1)).filter((line) => line.trim() !== '');
  const first = (complete[0] ?? lines.find((line) => line.trim() !== '') ?? '').trim();
  if (first.startsWith('<')) return 'markup';
  if (SCRIPT.test(first)) return 'javascript';
  // A line like [1,2] among others is one bad row, not a whole array.
  if (first.startsWith('[') && !(parseJson(first).ok && complete.length > 1)) return 'json_array';
  if (format === 'csv') return first.startsWith('{') ? 'ndjson' : null;
  if (first === '{' && complete.length > 1) return 'json_document';
  return /\bcontent_id\b/.test(first) && !first.startsWith('{') ? 'csv' : null;
}

function binaryKind(head: Uint8Array): LookAlike | null {
  const [a, b] = head;
  if (a === 0x1f && b === 0x8b) return 'gzip';
  if (a === 0x50 && b === 0x4b) return 'zip';
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return 'utf16';
  return null;
}

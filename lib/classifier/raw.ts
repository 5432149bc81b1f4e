import { RAW_MAX_BYTES } from './answer.ts';

/**
 * Makes a raw answer fit to be kept as evidence: without NUL, which PostgreSQL refuses, well formed, and cut between
 * characters.
 * @param max bytes of UTF-8 that are kept.
 */
export function capped(text: string, max = RAW_MAX_BYTES): string {
  const clean = text.replace(/[\p{Surrogate}\0]/gu, '\ufffd');
  if (Buffer.byteLength(clean) <= max) return clean;
  const bytes = Buffer.from(clean.slice(0, max));
  let end = Math.min(max, bytes.length);
  // Step back over the tail bytes of a character that would be cut in two.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end).toString('utf8');
}

/**
 * Takes a leading block of a model's thinking off. What a model mutters is neither read nor kept.
 * @returns the rest; `thought` says whether there was a block. A block that never closes leaves nothing.
 */
export function withoutThinking(content: string): { readonly rest: string; readonly thought: boolean } {
  const start = /^\s*<think>/.exec(content);
  if (!start) return { rest: content, thought: false };
  const end = content.indexOf('</think>', start[0].length);
  return { rest: end < 0 ? '' : content.slice(end + '</think>'.length), thought: true };
}

/** Cuts a text into the passages that may be shown as evidence: its sentences and lines, as they stand. */

/** A passage in the text, in UTF-16 units; `end` is exclusive. */
export type Span = { readonly from: number; readonly to: number };

/** Passages that are weighed; a text has 8,000 code points at most, so only noise has more. */
const PASSAGES_MAX = 2_000;

/**
 * A sentence ends behind its marks where space follows, and behind full-width marks wherever they stand. A run of marks
 * is tried once, from its first: a text of nothing but marks would take time by the square.
 */
const SENTENCE_END = /(?<![.!?…؟])[.!?…؟]+["'”’»)\]]*(?=\s)|[。！？]+["'”’」』）]*/gu;

/** @returns the sentences of a text, line by line, without the space around them; none where there is only space. */
export function sentences(text: string): Span[] {
  const spans: Span[] = [];
  let from = 0;
  for (const line of text.split('\n')) {
    let start = 0;
    for (const end of line.matchAll(SENTENCE_END)) {
      pushTrimmed(spans, text, from + start, from + end.index + end[0].length);
      start = end.index + end[0].length;
    }
    pushTrimmed(spans, text, from + start, from + line.length);
    from += line.length + 1;
    if (spans.length >= PASSAGES_MAX) break;
  }
  return spans.slice(0, PASSAGES_MAX);
}

function pushTrimmed(spans: Span[], text: string, from: number, to: number): void {
  const part = text.slice(from, to);
  const length = part.trim().length;
  if (length === 0) return;
  const start = from + (part.length - part.trimStart().length);
  spans.push({ from: start, to: start + length });
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Shortens a passage so that no character is torn apart.
 * @param max code points that it may have.
 * @returns as much of its beginning as fits between graphemes; where the first grapheme alone is longer (stacked
 * marks), as many of its code points as fit.
 */
export function shortened(text: string, { from, to }: Span, max: number): Span {
  const points = [...text.slice(from, to)];
  if (points.length <= max) return { from, to };
  const head = points.slice(0, max).join('').length;
  // What follows the cut decides whether there is a boundary; one more character is enough to tell.
  const window = graphemes.segment(text.slice(from, Math.min(to, from + head + 2)));
  const boundary = window.containing(head)?.index ?? head;
  return { from, to: from + (boundary > 0 ? boundary : head) };
}

/** @returns where a span begins and ends, counted in code points of the text. */
export function inCodePoints(text: string, { from, to }: Span): { readonly start: number; readonly end: number } {
  const start = [...text.slice(0, from)].length;
  return { start, end: start + [...text.slice(from, to)].length };
}

import type { CallInput } from './answer.ts';

/** Long text is cut into segments that are classified one by one; nothing is left out and nothing is shown twice. */

/** Code points of one segment at most. */
export const SEGMENT_CODE_POINTS = 8_000;
/** A cut moves back by fewer units than this to fall after a word; 1 MiB of plain text still fits in 132 segments. */
const WORD_SLACK = 40;

/** One segment of a revision as it is shown, and where its text begins in the whole text, in code points. */
export type Part = { readonly input: CallInput; readonly from: number };

/**
 * Cuts everything that is shown of a revision: call k carries part k of every member, and the last part of a member
 * that has fewer. So each is shown whole, in as many calls as the longest needs.
 */
export function parts(input: CallInput): Part[] {
  const cut = Object.entries(input).flatMap(([name, text]): [keyof CallInput, string[]][] =>
    text === undefined ? [] : [[name as keyof CallInput, segments(text)]],
  );
  const count = Math.max(...cut.map(([, pieces]) => pieces.length));
  const starts = startsOf(cut.find(([name]) => name === 'text')?.[1] ?? []);
  return Array.from({ length: count }, (_, at) => ({
    input: Object.fromEntries(
      cut.map(([name, pieces]) => [name, pieces[Math.min(at, pieces.length - 1)]]),
    ) as CallInput,
    from: starts[Math.min(at, starts.length - 1)] ?? 0,
  }));
}

function startsOf(pieces: readonly string[]): number[] {
  let from = 0;
  return pieces.map((piece) => {
    const start = from;
    if (pieces.length > 1) from += [...piece].length;
    return start;
  });
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * Cuts a text between graphemes, so that no emoji and no combining sequence is torn apart. Only a single grapheme that
 * is itself longer than a segment (stacked marks) is cut, between code points.
 * @param text well formed.
 * @returns segments that make the text again when joined; one empty segment for an empty text.
 */
export function segments(text: string): string[] {
  const cut: string[] = [];
  let from = 0;
  do {
    const to = segmentEnd(text, from);
    cut.push(text.slice(from, to));
    from = to;
  } while (from < text.length);
  return cut;
}

/** @returns the offset, in UTF-16 units, where the segment that begins at `from` ends. */
function segmentEnd(text: string, from: number): number {
  const limit = forward(text, from, SEGMENT_CODE_POINTS);
  if (limit === text.length) return limit;
  // What follows the limit decides whether there is a boundary; one more character is enough to tell.
  const window = graphemes.segment(text.slice(from, limit + 2));
  const boundary = (at: number): number => from + (window.containing(at - from)?.index ?? 0);
  for (let at = limit; at > limit - WORD_SLACK && at > from + 1; at--) {
    if ((text[at - 1] === ' ' || text[at - 1] === '\n') && boundary(at) === at) return at;
  }
  const end = boundary(limit);
  return end > from ? end : limit;
}

function forward(text: string, from: number, codePoints: number): number {
  // Short texts are nearly all texts: no code point is counted for them.
  if (text.length - from <= codePoints) return text.length;
  let at = from;
  for (let count = 0; count < codePoints && at < text.length; count++) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return at;
}

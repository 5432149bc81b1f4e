import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** Rows for the benchmark: made up, the same in every run, about 300 bytes of text each. */

const WORDS =
  'the bridge road garden market train letter window house river evening morning neighbour council ticket bicycle library weather coffee school festival kitchen engine harbour picture answer question number paper winter summer music station bakery doctor'.split(
    ' ',
  );
const WORDS_A_TEXT = 46;

/** A small generator with a seed: the corpus must not differ between two runs that are compared. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** @returns the id of row `at`. */
export const contentId = (at: number): string => `bench:${String(at).padStart(8, '0')}`;

/** @returns the text of row `at`. */
export function textOf(at: number): string {
  const next = random(at + 1);
  const words = Array.from({ length: WORDS_A_TEXT }, () => WORDS[Math.floor(next() * WORDS.length)]);
  return `${words.join(' ')}.`;
}

/** @returns the line of row `at` as a file for import holds it, without its line feed. */
export function lineOf(at: number): string {
  return JSON.stringify({
    content_id: contentId(at),
    content_type: 'comment',
    revision: '1',
    source: `forum/comments-${at % 4}`,
    text: textOf(at),
    author_id: `author-${at % 997}`,
    created_at: '2026-11-30T12:00:00Z',
  });
}

/** Writes a file of `count` rows. */
export async function writeCorpus(file: string, count: number): Promise<void> {
  const out = createWriteStream(file);
  let held = '';
  for (let at = 0; at < count; at++) {
    held += `${lineOf(at)}\n`;
    if (held.length < 1_000_000) continue;
    if (!out.write(held)) await new Promise<void>((resolve) => out.once('drain', resolve));
    held = '';
  }
  out.end(held);
  await finished(out);
}

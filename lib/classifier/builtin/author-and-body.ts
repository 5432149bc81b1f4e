import type { Scores } from '../../policy/classification.ts';
import type { CallInput } from '../answer.ts';
import { detected } from './detectors.ts';

/** @returns what is read of a post or document as one text: the title, then the text. */
export function bodyOf({ title, text }: Pick<CallInput, 'title' | 'text'>): string {
  return title ? `${title}\n${text}` : text;
}

/** @returns the texts that are read of a comment, each by itself: its body, and its author's name where there is one. */
export function authorAndBody(input: Omit<CallInput, 'parent_text'>): string[] {
  return [bodyOf(input), ...(input.author_name ? [input.author_name] : [])];
}

/**
 * Scores a comment for a verdict rule. An author's name is scored by itself: behind a long text a name that is an
 * advertisement would hardly count.
 * @param score gives calibrated scores for one text.
 * @param options.detect adds what detectors find.
 * @returns the higher score of body and name, for each label.
 */
export function authorAndBodyScores(
  input: Omit<CallInput, 'parent_text'>,
  score: (text: string) => Readonly<Record<string, number>>,
  { detect }: { readonly detect: boolean },
): Scores {
  const all = authorAndBody(input).map(
    (text): Record<string, number> => ({
      ...score(text),
      ...(detect && detected(text)),
    }),
  );
  const labels = Object.keys(all[0] ?? {});
  return Object.fromEntries(labels.map((label) => [label, Math.max(...all.map((each) => each[label] ?? 0))]));
}

import { authorAndBodyScores } from '../builtin/author-and-body.ts';
import { detected } from '../builtin/detectors.ts';
import { facetOf } from '../builtin/tag-labels.ts';
import { sentences, shortened } from '../builtin/tag-passage.ts';
import type { Tagger } from '../builtin/tagger.ts';
import type { Asked, Shown } from './asked.ts';

/** What the stub thinks of a text: the built-in model's answers in the words of the contract that is asked for. */

export type Brain = {
  readonly score: (text: string) => Readonly<Record<string, number>>;
  readonly tag: Tagger;
};
export type Answer =
  | { readonly kind: 'scores'; readonly labels: Readonly<Record<string, number>> }
  | { readonly kind: 'tag'; readonly label: string; readonly evidence: string | null }
  | { readonly kind: 'verdict'; readonly verdict: 'CLEAN' | 'SPAM' | 'REVIEW' };

/** What is said of a label that the built-in model never learned: it does not know. */
const UNKNOWN = 0.5;
/** Code points of a passage at most, as the contract says. */
const EVIDENCE_MAX = 300;
const SPAM_AT = 0.8;
const REVIEW_AT = 0.4;

/** @returns the scores of every label that is known, of title, text and author name together. */
export function knownScores(shown: Shown, { score }: Brain): Record<string, number> {
  const scores = authorAndBodyScores(shown, (text) => ({ ...score(text), ...detected(text) }), { detect: true });
  return Object.fromEntries(Object.entries(scores).map(([label, value]) => [label, value ?? UNKNOWN]));
}

/** @returns the answer to what is asked; the same for the same request. */
export function judge({ wanted, shown }: Asked, brain: Brain): Answer {
  if (wanted.kind === 'tag') return tagOf(wanted.labels, shown, brain);
  const known = knownScores(shown, brain);
  if (wanted.kind === 'verdict') {
    const { toxicity: _, ...counted } = known;
    const worst = Math.max(...Object.values(counted));
    const spam = Math.max(known.spam ?? 0, known.scam ?? 0);
    return { kind: 'verdict', verdict: spam >= SPAM_AT ? 'SPAM' : worst >= REVIEW_AT ? 'REVIEW' : 'CLEAN' };
  }
  const names = wanted.labels.length > 0 ? wanted.labels : Object.keys(known);
  return { kind: 'scores', labels: Object.fromEntries(names.map((name) => [name, known[name] ?? UNKNOWN])) };
}

function tagOf(labels: readonly string[], shown: Shown, { tag }: Brain): Answer {
  const facet = facetOf(labels);
  if (facet) {
    const found = tag(shown, facet, EVIDENCE_MAX);
    const evidence = found.passage ? shown.text.slice(found.passage.from, found.passage.to) : shortest(shown.text);
    return { kind: 'tag', label: found.tag, evidence };
  }
  const text = `${shown.title ?? ''} ${shown.text}`.toLowerCase();
  const hits = labels.map((label) => text.split(label.toLowerCase().replaceAll('_', ' ')).length);
  return { kind: 'tag', label: labels[hits.indexOf(Math.max(...hits))] ?? '', evidence: shortest(shown.text) };
}

/** The first sentence, or what there is. */
function shortest(text: string): string {
  const [first] = sentences(text);
  if (!first) return [...text].slice(0, EVIDENCE_MAX).join('');
  const { from, to } = shortened(text, first, EVIDENCE_MAX);
  return text.slice(from, to);
}

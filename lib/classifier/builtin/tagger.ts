import { type NgramModel, type Reading, shareOfByte } from './model.ts';
import { softmax } from './softmax.ts';
import {
  type Document,
  documentVector,
  passageVector,
  TAG_BUCKET_COUNT,
  TAG_FEATURES_VERSION,
} from './tag-features.ts';
import { FACET_NAMES, FACETS, type Facet, TAGS } from './tag-labels.ts';
import { type Span, sentences, shortened } from './tag-passage.ts';
import { type Head, logitOf, type StoredVector } from './trainer.ts';

/** How documents are read for the tags model. */
export const TAG_READING: Reading = { features: TAG_FEATURES_VERSION, bucketCount: TAG_BUCKET_COUNT };

/** What the head says of a document for one facet. */
export type TagAnswer = {
  readonly tag: string;
  /** The share of each tag of the facet; they sum to one. */
  readonly shares: Readonly<Record<string, number>>;
  /** The sentence that speaks most for the tag; null where the text has no sentence at all. */
  readonly passage: Span | null;
};

/** @returns the answer for a document; the same for the same document. */
export type Tagger = (document: Document, facet: Facet, passageMax: number) => TagAnswer;

/** Shares keep six decimals: more is noise of the summation, and would differ between machines. */
const SHARE_STEPS = 1_000_000;

/**
 * Makes a tagger from a parsed model. It unpacks the weights once (4 bytes a weight, 2 MiB for seventeen tags).
 * @throws where the model does not hold exactly the tags of this program, in their order.
 */
export function createTagger(model: NgramModel): Tagger {
  const labels = model.heads.map((head) => head.label);
  if (labels.join() !== TAGS.join()) throw new Error('weights file: other tags than this program knows');
  const heads = Object.fromEntries(model.heads.map((head, at) => [head.label, unpacked(model, at)]));
  const headsOf = (facet: Facet): Head[] =>
    FACETS[facet].map((tag) => heads[tag] ?? { weights: new Float32Array(0), bias: 0 });
  const byFacet = Object.fromEntries(FACET_NAMES.map((facet) => [facet, headsOf(facet)])) as Record<Facet, Head[]>;

  return (document, facet, passageMax) => {
    const facetHeads = byFacet[facet];
    const vector = documentVector(document, facet);
    const shares = softmax(facetHeads.map((head) => logitOf(head, vector)));
    const best = shares.indexOf(Math.max(...shares));
    return {
      tag: FACETS[facet][best] ?? FACETS[facet][0],
      shares: Object.fromEntries(
        FACETS[facet].map((tag, at) => [tag, Math.round((shares[at] ?? 0) * SHARE_STEPS) / SHARE_STEPS]),
      ),
      passage: strongest(document.text, facet, facetHeads, best, passageMax),
    };
  };
}

function unpacked({ heads, bytes, bucketCount }: NgramModel, at: number): Head {
  const { scale = 0, bias = 0 } = heads[at] ?? {};
  const weights = new Float32Array(bucketCount);
  for (let bucket = 0; bucket < bucketCount; bucket += 1) {
    weights[bucket] = shareOfByte(bytes[bucket * heads.length + at] ?? 0) * scale;
  }
  return { weights, bias };
}

/** The sentence, already short enough to be shown, that speaks most for a tag and least for the others; the first of equals. */
function strongest(text: string, facet: Facet, heads: readonly Head[], tag: number, max: number): Span | null {
  let found: Span | null = null;
  let highest = Number.NEGATIVE_INFINITY;
  for (const sentence of sentences(text)) {
    const span = shortened(text, sentence, max);
    const speaks = margin(passageVector(text.slice(span.from, span.to), facet), heads, tag);
    if (speaks > highest) {
      highest = speaks;
      found = span;
    }
  }
  return found;
}

/** How much more a vector speaks for one tag than for the others on average; biases say nothing about a passage. */
function margin(vector: StoredVector, heads: readonly Head[], tag: number): number {
  const logits = heads.map((head) => logitOf({ weights: head.weights, bias: 0 }, vector));
  const others = logits.reduce((sum, logit, at) => sum + (at === tag ? 0 : logit), 0) / Math.max(1, logits.length - 1);
  return (logits[tag] ?? 0) - others;
}

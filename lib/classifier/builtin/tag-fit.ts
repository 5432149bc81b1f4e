import { type NgramModel, quantise } from './model.ts';
import { seededRandom } from './random.ts';
import { trainSoftmax } from './softmax.ts';
import { type Document, documentVector, TAG_BUCKET_COUNT } from './tag-features.ts';
import { FACET_NAMES, FACETS, type Facet } from './tag-labels.ts';
import type { Head } from './trainer.ts';

/** A document with what is true of it: tags named 1 are, of each facet one at most. */
export type TaggedDocument = Document & { readonly gold: Readonly<Record<string, 0 | 1>> };

/** How the tags are fitted. Chosen by cross-validation on the tuning part only. */
export const TAG_SETTINGS = {
  seed: 20261201,
  epochs: 6,
  rate: 0.3,
  l2: 1e-3,
  /**
   * Taken off the logit of a tag, so that it is given only where it leads clearly: a document that is wrongly called
   * fit is found and quoted, one that is wrongly called something else is looked at by a person.
   */
  caution: { fit: 0.5 } as Readonly<Record<string, number>>,
} as const;

const UNCALIBRATED = { slope: 1, intercept: 0 };

/**
 * Fits every tag of every facet. Deterministic for documents in their order.
 * @returns a model of one byte a weight.
 */
export function fitTags(documents: readonly TaggedDocument[]): NgramModel {
  const fitted = FACET_NAMES.flatMap((facet) => {
    const heads = fitFacet(documents, facet);
    return FACETS[facet].map((label, at) => {
      const head = heads[at] ?? { weights: new Float32Array(TAG_BUCKET_COUNT), bias: 0 };
      const bias = head.bias - (TAG_SETTINGS.caution[label] ?? 0);
      return { label, head: { ...head, bias }, calibration: UNCALIBRATED };
    });
  });
  return quantise(fitted, TAG_BUCKET_COUNT);
}

/** The heads of one facet, in the order of its tags. Every tag counts the same, however many documents have it. */
function fitFacet(documents: readonly TaggedDocument[], facet: Facet): Head[] {
  const tags: readonly string[] = FACETS[facet];
  const known = documents.flatMap((document) => {
    const truth = tags.findIndex((tag) => document.gold[tag] === 1);
    return truth < 0 ? [] : [{ vector: documentVector(document, facet), truth }];
  });
  const sizes = tags.map((_, at) => known.filter(({ truth }) => truth === at).length);
  const examples = known.map(({ vector, truth }) => ({
    vector,
    truth,
    weight: known.length / tags.length / (sizes[truth] ?? 1),
  }));
  const { seed, epochs, rate, l2 } = TAG_SETTINGS;
  return trainSoftmax(examples, tags.length, { bucketCount: TAG_BUCKET_COUNT, epochs, rate, l2 }, seededRandom(seed));
}

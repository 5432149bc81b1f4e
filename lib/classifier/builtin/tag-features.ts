import { conceptsIn } from './document-concepts.ts';
import { shapeOf } from './document-shape.ts';
import { hashFinish, hashStart, hashStep, hashText } from './hash.ts';
import { undisguise } from './normalise.ts';
import type { Facet } from './tag-labels.ts';
import { tokenise } from './tokens.ts';
import type { StoredVector } from './trainer.ts';

/**
 * Names this way of reading a document. Raise it with any change of document-shape.ts, document-concepts.ts,
 * normalise.ts, tokens.ts or this file: weights trained under another name are refused.
 */
export const TAG_FEATURES_VERSION = 'tags/1';
/** Buckets that features are hashed into: 2^15 keeps seventeen tags at half a mebibyte. */
export const TAG_BUCKET_COUNT = 32_768;

const MIN_GRAM = 3;
const MAX_GRAM = 5;
const EDGE = 0x20;

/** What one feature weighs beside others of its block. A title names the kind of a document more often than a sentence. */
const WEIGHTS = {
  word: 2,
  pair: 1,
  gram: 0.7,
  titleWord: 4,
  titleGram: 1.5,
  first: 2,
  shape: 1,
  concept: 1,
  titleConcept: 2,
} as const;
type Kind = keyof typeof WEIGHTS;
const KINDS = Object.keys(WEIGHTS) as Kind[];
const STARTS = Object.fromEntries(KINDS.map((kind, at) => [kind, hashStart(101 + at)])) as Record<Kind, number>;

/**
 * What a block weighs beside the text, which weighs one. Each is scaled by itself, so that a long text does not drown
 * what a document looks like; how much that says differs between facets.
 */
const BLOCKS: Readonly<Record<Facet, { readonly shape: number; readonly concepts: number }>> = {
  document_type: { shape: 1, concepts: 0.7 },
  care_setting: { shape: 0.5, concepts: 1 },
  retrieval_fit: { shape: 1.6, concepts: 1 },
};

/** Words of the first line that count once more: a form or a letter shows itself there. */
const FIRST_WORDS = 6;
/** Code units in which these words are looked for. */
const FIRST_UNITS = 200;

/** What is read of a document. */
export type Document = { readonly title?: string | undefined; readonly text: string };

type Bag = Map<number, number>;

function add(bag: Bag, kind: Kind, hash: number, times = 1): void {
  const bucket = hashFinish(hash) & (TAG_BUCKET_COUNT - 1);
  // Presence counts, not frequency, as in the scores model.
  bag.set(bucket, Math.max(bag.get(bucket) ?? 0, WEIGHTS[kind] * times));
}

function addGrams(bag: Bag, kind: 'gram' | 'titleGram', word: string): void {
  const length = word.length + 2;
  for (let start = 0; start + MIN_GRAM <= length; start += 1) {
    let hash: number = STARTS[kind];
    const end = Math.min(length, start + MAX_GRAM);
    for (let at = start; at < end; at += 1) {
      hash = hashStep(hash, at === 0 || at === length - 1 ? EDGE : word.charCodeAt(at - 1));
      if (at - start + 1 >= MIN_GRAM) add(bag, kind, hash);
    }
  }
}

function addText(bag: Bag, text: string, word: 'word' | 'titleWord', gram: 'gram' | 'titleGram'): void {
  let previous = hashText(STARTS.pair, '<start>');
  for (const token of tokenise(undisguise(text).toLowerCase())) {
    add(bag, word, hashText(STARTS[word], token.text));
    if (token.kind !== 'sign' && !token.text.startsWith('<')) addGrams(bag, gram, token.text);
    if (token.kind === 'variant') continue;
    add(bag, 'pair', hashText(hashStep(previous, EDGE), token.text));
    previous = hashText(STARTS.pair, token.text);
  }
}

function addConcepts(bag: Bag, text: string, kind: 'concept' | 'titleConcept', facet: Facet): void {
  for (const [name, count] of conceptsIn(text, facet)) add(bag, kind, hashText(STARTS[kind], name), Math.sqrt(count));
}

/** Adds a block to a whole, scaled to a length. */
function pour(whole: Bag, block: Bag, length: number): void {
  let square = 0;
  for (const weight of block.values()) square += weight * weight;
  const scale = length / (Math.sqrt(square) || 1);
  for (const [bucket, weight] of block) whole.set(bucket, (whole.get(bucket) ?? 0) + weight * scale);
}

/** A bag in the order of its buckets, so that sums come out the same however it was filled. */
function vectorOf(bag: Bag): StoredVector {
  const sorted = [...bag].sort(([a], [b]) => a - b);
  return {
    buckets: Uint16Array.from(sorted, ([bucket]) => bucket),
    weights: Float32Array.from(sorted, ([, weight]) => weight),
  };
}

/** @returns a document as it is read for a facet; deterministic, linear in its length. */
export function documentVector({ title, text }: Document, facet: Facet): StoredVector {
  const words: Bag = new Map();
  addText(words, text, 'word', 'gram');
  if (title) addText(words, title, 'titleWord', 'titleGram');
  const first = tokenise(undisguise(text.trimStart().slice(0, FIRST_UNITS)).toLowerCase()).slice(0, FIRST_WORDS);
  for (const token of first) add(words, 'first', hashText(STARTS.first, token.text));
  const shape: Bag = new Map();
  for (const trait of shapeOf(text)) add(shape, 'shape', hashText(STARTS.shape, trait));
  const concepts: Bag = new Map();
  addConcepts(concepts, text, 'concept', facet);
  if (title) addConcepts(concepts, title, 'titleConcept', facet);
  const whole: Bag = new Map();
  pour(whole, words, 1);
  pour(whole, shape, BLOCKS[facet].shape);
  pour(whole, concepts, BLOCKS[facet].concepts);
  return vectorOf(whole);
}

/** @returns what a passage itself says for a facet: its words and concepts, no title and no shape. */
export function passageVector(passage: string, facet: Facet): StoredVector {
  const words: Bag = new Map();
  addText(words, passage, 'word', 'gram');
  const concepts: Bag = new Map();
  addConcepts(concepts, passage, 'concept', facet);
  const whole: Bag = new Map();
  pour(whole, words, 1);
  pour(whole, concepts, BLOCKS[facet].concepts);
  return vectorOf(whole);
}

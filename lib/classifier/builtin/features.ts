import { hashFinish, hashStart, hashStep, hashText } from './hash.ts';
import { undisguise } from './normalise.ts';
import { type Token, tokenise } from './tokens.ts';

/**
 * Names this way of reading a text. Weights trained under another name are refused when they are loaded, since their
 * buckets would mean something else. Raise it with any change of normalise.ts, tokens.ts or this file.
 */
export const FEATURES_VERSION = 'features/1';

/** Buckets that features are hashed into; 2^16 keeps eight labels at half a mebibyte. */
export const BUCKET_COUNT = 65_536;

const MIN_GRAM = 3;
const MAX_GRAM = 5;

/** What a whole word or a pair weighs beside one of its many character n-grams. */
const WORD_WEIGHT = 2;
const PAIR_WEIGHT = 1.5;
const GRAM_WEIGHT = 1;
const SURFACE_WEIGHT = 2;

/**
 * A text as a sparse vector of length one: `count` buckets, each once, with the weight it has. The arrays belong to the
 * extractor and are overwritten by its next call.
 */
export interface FeatureVector {
  readonly count: number;
  readonly buckets: Uint16Array;
  readonly weights: Float32Array;
}

export type FeatureExtractor = (text: string) => FeatureVector;

function bucketOf(hash: number): number {
  return hashFinish(hash) & (BUCKET_COUNT - 1);
}

/** Each kind of feature hashes from a start of its own. */
const wordStart = hashStart(1);
const pairStart = hashStart(2);
const gramStart = hashStart(3);
const surfaceStart = hashStart(4);

/** Stands before and after a word in its character n-grams, so that beginnings and endings are told apart. */
const EDGE = 0x20;

function band(share: number): number {
  if (share === 0) return 0;
  if (share < 0.05) return 1;
  if (share < 0.15) return 2;
  if (share < 0.4) return 3;
  return 4;
}

/** Counts of what a text looks like, apart from what it says; each in a few coarse bands. */
export function surfaceOf(undisguised: string, tokens: readonly Token[]): string[] {
  let upper = 0;
  let letters = 0;
  let beyondLatin = 0;
  let digits = 0;
  let lines = 1;
  for (let i = 0; i < undisguised.length; i += 1) {
    const unit = undisguised.charCodeAt(i);
    if (unit >= 65 && unit <= 90) upper += 1;
    if ((unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122)) letters += 1;
    else if (unit >= 48 && unit <= 57) digits += 1;
    else if (unit === 10) lines += 1;
    else if (unit > 0x24f) beyondLatin += 1;
  }
  const size = Math.max(1, undisguised.length);
  let signs = 0;
  let words = 0;
  for (const token of tokens) {
    if (token.kind === 'sign') signs += 1;
    else if (token.kind === 'word') words += 1;
  }
  return [
    `words ${Math.min(10, Math.floor(2 * Math.log2(words + 1)))}`,
    `upper ${band(upper / Math.max(1, letters))}`,
    `digits ${band(digits / size)}`,
    `beyond latin ${band(beyondLatin / size)}`,
    `lines ${Math.min(4, Math.floor(Math.log2(lines)))}`,
    `signs ${band(signs / Math.max(1, signs + words))}`,
  ];
}

/**
 * Makes an extractor with scratch space of its own (about 0.8 MiB), so that a text costs no large allocation. One
 * extractor serves one caller at a time.
 *
 * @returns a function from any string (of any length, lone surrogates included) to its feature vector; deterministic,
 * linear in the length of the text. A text with neither words nor signs still has surface features.
 */
export function createFeatureExtractor(): FeatureExtractor {
  const total = new Float32Array(BUCKET_COUNT);
  const buckets = new Uint16Array(BUCKET_COUNT);
  const weights = new Float32Array(BUCKET_COUNT);
  let count = 0;

  /** Presence counts, not frequency: repeating a word a thousand times must not drown the rest of a text. */
  function add(hash: number, weight: number): void {
    const bucket = bucketOf(hash);
    const before = total[bucket] ?? 0;
    if (before === 0) {
      buckets[count] = bucket;
      count += 1;
    }
    if (weight > before) total[bucket] = weight;
  }

  function addGrams(word: string): void {
    const length = word.length + 2;
    for (let start = 0; start + MIN_GRAM <= length; start += 1) {
      let hash = gramStart;
      const end = Math.min(length, start + MAX_GRAM);
      for (let at = start; at < end; at += 1) {
        hash = hashStep(hash, at === 0 || at === length - 1 ? EDGE : word.charCodeAt(at - 1));
        if (at - start + 1 >= MIN_GRAM) add(hash, GRAM_WEIGHT);
      }
    }
  }

  return (text) => {
    const undisguised = undisguise(text);
    const tokens = tokenise(undisguised.toLowerCase());
    count = 0;
    let previous = hashText(pairStart, '<start>');
    for (const token of tokens) {
      add(hashText(wordStart, token.text), WORD_WEIGHT);
      if (token.kind !== 'sign' && !token.text.startsWith('<')) addGrams(token.text);
      if (token.kind === 'variant') continue;
      add(hashText(hashStep(previous, EDGE), token.text), PAIR_WEIGHT);
      previous = hashText(pairStart, token.text);
    }
    for (const trait of surfaceOf(undisguised, tokens)) add(hashText(surfaceStart, trait), SURFACE_WEIGHT);

    let square = 0;
    for (let i = 0; i < count; i += 1) {
      const weight = total[buckets[i] ?? 0] ?? 0;
      square += weight * weight;
    }
    const norm = 1 / Math.sqrt(square);
    for (let i = 0; i < count; i += 1) {
      const bucket = buckets[i] ?? 0;
      weights[i] = (total[bucket] ?? 0) * norm;
      total[bucket] = 0;
    }
    return { count, buckets, weights };
  };
}

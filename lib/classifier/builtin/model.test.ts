import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUCKET_COUNT } from './features.ts';
import { type NgramModel, parseModel, quantise, serialiseModel, shareOfByte } from './model.ts';
import { seededRandom } from './random.ts';
import { createScorer } from './scorer.ts';

const random = seededRandom(11);

function head(scale: number) {
  return { weights: Float32Array.from({ length: BUCKET_COUNT }, () => scale * (2 * random() - 1) ** 3), bias: -0.5 };
}

const model: NgramModel = quantise(
  [
    { label: 'spam', head: head(4), calibration: { slope: 1.5, intercept: 0.2 } },
    { label: 'hate', head: head(0.1), calibration: { slope: 1, intercept: -1 } },
  ],
  BUCKET_COUNT,
);
const file = serialiseModel(model);
const headerBytes = new DataView(file.buffer).getUint32(12, true);

function withHeader(change: (header: Record<string, unknown>) => unknown): Uint8Array {
  const header = JSON.parse(new TextDecoder().decode(file.subarray(16, 16 + headerBytes)));
  const text = new TextEncoder().encode(JSON.stringify(change(header)));
  const bodyAt = Math.ceil((16 + text.length) / 8) * 8;
  const changed = new Uint8Array(bodyAt + model.bytes.length);
  changed.set(file.subarray(0, 16));
  new DataView(changed.buffer).setUint32(12, text.length, true);
  changed.set(text, 16);
  return changed;
}

function patched(at: number, value: number): Uint8Array {
  const changed = file.slice();
  changed[at] = value;
  return changed;
}

describe('a weights file', () => {
  test('gives back the model that was written', () => {
    expect(parseModel(file)).toEqual(model);
  });
  test('is the same bytes for the same model', () => {
    expect(serialiseModel(parseModel(file))).toEqual(file);
  });
  test('is read from the middle of a larger buffer, as the disk gives it', () => {
    const larger = new Uint8Array(file.length + 100);
    larger.set(file, 37);
    expect(parseModel(larger.subarray(37, 37 + file.length))).toEqual(model);
  });
  test('headers are padded so that the weights start at a multiple of eight', () => {
    expect((file.length - model.bytes.length) % 8).toBe(0);
  });

  test.each<[string, Uint8Array, RegExp]>([
    ['nothing', new Uint8Array(0), /too short/],
    ['another kind of file', patched(0, 0), /wrong magic/],
    ['another format version', patched(8, 2), /format version 2/],
    ['a header longer than the file', patched(15, 255), /header does not fit/],
    ['a header that is no JSON', patched(16, 0), /not JSON/],
    ['a byte missing', file.subarray(0, file.length - 1), /expected/],
    ['a byte left over', Uint8Array.from([...file, 0]), /expected/],
    ['weights of other features', withHeader((h) => ({ ...h, features: 'features/0' })), /features\/0/],
    ['another number of buckets', withHeader((h) => ({ ...h, bucketCount: 8 })), /8 buckets/],
    ['no heads', withHeader((h) => ({ ...h, heads: [] })), /bad header at heads/],
    ['a label twice', withHeader((h) => ({ ...h, heads: [model.heads[0], model.heads[0]] })), /occurs twice/],
    [
      'a bad label',
      withHeader((h) => ({ ...h, heads: [{ ...model.heads[0], label: '__proto__' }] })),
      /heads\.0\.label/,
    ],
    ['a scale that is no number', withHeader((h) => ({ ...h, heads: [{ ...model.heads[0], scale: null }] })), /scale/],
    ['a member it does not know', withHeader((h) => ({ ...h, more: 1 })), /bad header/],
  ])('is refused with the reason: %s', (_, bad, reason) => {
    expect(() => parseModel(bad)).toThrow(reason);
  });
});

test('a packed weight is close to the weight, finest for small ones', () => {
  const weights = new Float32Array(BUCKET_COUNT);
  weights.set([4, -4, 1, -0.01, 0.0004, 0]);
  const packed = quantise(
    [{ label: 'spam', head: { weights, bias: 0 }, calibration: { slope: 1, intercept: 0 } }],
    BUCKET_COUNT,
  );
  const scale = packed.heads[0]?.scale ?? 0;
  for (let i = 0; i < 6; i += 1) {
    const weight = weights[i] ?? 0;
    expect(Math.abs(shareOfByte(packed.bytes[i] ?? 0) * scale - weight)).toBeLessThanOrEqual(
      (2 / 127) * Math.sqrt(Math.abs(weight) * scale) + scale / 127 ** 2,
    );
  }
});

describe('the scorer', () => {
  const scorer = createScorer(model);
  test('gives every label a number from 0 to 1, for any string', () => {
    const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());
    fc.assert(
      fc.property(anyText, (text) => {
        const scores = scorer.score(text);
        expect(Object.keys(scores)).toEqual(['spam', 'hate']);
        for (const score of Object.values(scores)) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
  test('adds up the weights of the features a text has, then calibrates', () => {
    const weightless = quantise(
      [
        {
          label: 'spam',
          head: { weights: new Float32Array(BUCKET_COUNT), bias: 2 },
          calibration: { slope: 0.5, intercept: -1 },
        },
      ],
      BUCKET_COUNT,
    );
    expect(createScorer(weightless).score('anything')).toEqual({ spam: 0.5 });
    const even = quantise(
      [
        {
          label: 'spam',
          head: { weights: new Float32Array(BUCKET_COUNT).fill(3), bias: 0 },
          calibration: { slope: 1, intercept: 0 },
        },
      ],
      BUCKET_COUNT,
    );
    expect(createScorer(even).score('some words here').spam).toBeGreaterThan(0.99);
  });
  test('keeps the labels of a bucket apart, each with its own scale', () => {
    const even = (weight: number) => ({ weights: new Float32Array(BUCKET_COUNT).fill(weight), bias: 0 });
    const opposed = quantise(
      [
        { label: 'spam', head: even(0.3), calibration: { slope: 1, intercept: 0 } },
        { label: 'hate', head: even(-0.1), calibration: { slope: 1, intercept: 0 } },
      ],
      BUCKET_COUNT,
    );
    const { spam = 0, hate = 0 } = createScorer(opposed).score('some words here');
    const logit = (score: number) => Math.log(score / (1 - score));
    expect(logit(spam) / logit(hate)).toBeCloseTo(-3, 1);
  });
  test('two scorers of one model agree, whatever each has read before', () => {
    const other = createScorer(parseModel(file));
    other.score('something quite different');
    expect(other.score('a text')).toEqual(scorer.score('a text'));
  });
});

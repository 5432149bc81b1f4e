import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPolicy } from '../../policy/document.ts';
import type { ScoresDocument } from '../../policy/schema.ts';
import { shippedPolicies } from '../../policy/shipped.fs.ts';
import { modelCardSchema } from './card.ts';
import { renderCard } from './card-text.ts';
import { groupKey } from './corpus.ts';
import { createFeatureExtractor } from './features.ts';
import { BUILTIN_LABELS } from './labels.ts';
import { PROBES } from './probes.ts';
import { seedRows } from './seeds/rows.ts';
import { assembleModel, loadBuiltinModel, modelIdOf } from './weights.fs.ts';

const file = readFileSync(new URL('../weights/builtin.bin', import.meta.url));
const cardJson = readFileSync(new URL('../weights/model-card.json', import.meta.url), 'utf8');
const model = loadBuiltinModel();

describe('the shipped weights', () => {
  test('are named by the hash of their file, and the card names the same', () => {
    expect(model.modelId).toBe(createHash('sha256').update(file).digest('hex'));
    expect(model.card.modelId).toBe(model.modelId);
    expect(model.card.weightsBytes).toBe(file.length);
  });
  test('another byte is another model, which the card does not describe', () => {
    const changed = Uint8Array.from(file);
    changed[changed.length - 1] = ((changed.at(-1) ?? 0) + 1) & 255;
    expect(modelIdOf(changed)).not.toBe(model.modelId);
    expect(() => assembleModel(changed, cardJson)).toThrow('other weights');
  });
  test('know the eight labels', () => {
    expect(model.labels).toEqual(BUILTIN_LABELS);
    expect(model.card.labels.map(({ label }) => label)).toEqual(BUILTIN_LABELS);
  });
  test('give every label a score from 0 to 1, the same each time, for any string', () => {
    const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());
    fc.assert(
      fc.property(anyText, (text) => {
        const scores = model.score(text);
        expect(Object.keys(scores)).toEqual([...BUILTIN_LABELS]);
        expect(Object.values(scores).every((score) => score >= 0 && score <= 1)).toBe(true);
        expect(model.score(text)).toEqual(scores);
      }),
    );
  });
  test('score the probes as the card says: the card was measured on these very bytes', () => {
    for (const probe of model.card.probes) {
      expect(model.score(probe.text)[probe.label]).toBeCloseTo(probe.score, 3);
    }
  });
  test('are read with the features they were trained on', () => {
    // A change of the features without a new version would leave this number and every score behind.
    const { count, buckets } = createFeatureExtractor()('Ｈello w0rld, see https://example.org :) k i l l');
    const sum = buckets.subarray(0, count).reduce((total, bucket) => total + bucket, 0);
    expect({ features: model.card.features, count, sum }).toMatchInlineSnapshot(`
      {
        "count": 66,
        "features": "features/1",
        "sum": 2098751,
      }
    `);
  });
});

describe('the model card', () => {
  test('reports every label on held-back rows of every set that has gold for it', () => {
    for (const { heldBack } of model.card.labels) {
      const [all, ...strata] = heldBack;
      expect(all?.stratum).toBeNull();
      const sets = strata.filter(({ stratum }) => stratum !== null && !stratum.includes('/'));
      expect(sets.reduce((sum, { rows }) => sum + rows, 0)).toBe(all?.rows);
      expect(sets.reduce((sum, { positives }) => sum + positives, 0)).toBe(all?.positives);
    }
  });
  test('counts of its tables close', () => {
    for (const { review, rows } of model.card.labels.flatMap(({ heldBack }) => heldBack)) {
      expect(review.tp + review.fp + review.fn + review.tn).toBe(rows);
    }
    const { split, sources } = model.card;
    expect(sources.reduce((sum, { trainingRows }) => sum + trainingRows, 0)).toBe(split.trainingRows);
    expect(sources.reduce((sum, { heldBackRows }) => sum + heldBackRows, 0)).toBe(split.heldBackRows);
  });
  test('a label with low support proposes no restriction, and threat, self_harm and violence are such labels', () => {
    const low = model.card.labels.filter(({ support }) => support === 'low');
    expect(low.every(({ restrictAt }) => restrictAt === null)).toBe(true);
    expect(low.map(({ label }) => label)).toEqual(expect.arrayContaining(['self_harm', 'threat', 'violence']));
  });
  test('says which licences were not confirmed at the source', () => {
    const open = model.card.sources.filter(({ licenceConfirmed }) => !licenceConfirmed).map(({ set }) => set);
    expect(open.sort()).toEqual(['sms-spam', 'youtube-spam']);
    expect(renderCard(model.card)).toContain('not confirmed at the source');
  });
  test('the page in docs begins with it', () => {
    const page = readFileSync(new URL('../../../docs/model-card.md', import.meta.url), 'utf8');
    expect(page.startsWith(renderCard(model.card))).toBe(true);
  });
  test('an unknown member is refused', () => {
    expect(modelCardSchema.safeParse({ ...model.card, more: 1 }).success).toBe(false);
  });
  test('probes are not among the sentences trained on', () => {
    const seeds = new Set(seedRows().map(({ text }) => groupKey(text)));
    expect(PROBES.filter(({ text }) => seeds.has(groupKey(text)))).toEqual([]);
  });
});

const forum = (await shippedPolicies()).find(({ slug }) => slug === 'forum');

describe('the policy forum', () => {
  const read = readPolicy(forum?.text ?? '');
  const document = read.ok ? (read.value.document as ScoresDocument) : undefined;

  test('may be published', () => {
    expect(read).toMatchObject({ ok: true });
  });
  test('pins the shipped weights and takes over the suggested thresholds', () => {
    expect(document?.classifier).toMatchObject({ adapter: 'builtin', model: model.modelId });
    expect(document?.rules.map(({ label, reviewAt, restrictAt = null }) => ({ label, reviewAt, restrictAt }))).toEqual(
      model.card.labels.map(({ label, reviewAt, restrictAt }) => ({ label, reviewAt, restrictAt })),
    );
    expect(document?.contract.labels.map(({ name, support = 'normal' }) => ({ name, support }))).toEqual(
      model.card.labels.map(({ label, support }) => ({ name: label, support })),
    );
  });
  test('tells a reviewer what each label means, with what it is and what it is not', () => {
    for (const label of document?.contract.labels ?? []) {
      expect(label.definition.length).toBeGreaterThan(80);
      expect(label.examples.length).toBeGreaterThanOrEqual(3);
      expect(label.not_examples.length).toBeGreaterThanOrEqual(3);
    }
  });
  test('is automatic nowhere and marks the labels of high impact', () => {
    expect(document?.rules.some(({ automatic }) => automatic)).toBe(false);
    const high = document?.contract.labels.filter(({ highImpact }) => highImpact).map(({ name }) => name);
    expect(high).toEqual(['self_harm', 'sexual', 'threat', 'violence']);
  });
});

import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shippedPolicies } from '../../policy/shipped.fs.ts';
import { parseModel, serialiseModel } from './model.ts';
import { softmax } from './softmax.ts';
import { fitTags, type TaggedDocument } from './tag-fit.ts';
import { FACET_NAMES, FACETS, facetOf, TAGS } from './tag-labels.ts';
import { createTagger, TAG_READING } from './tagger.ts';
import { loadTagModel } from './tags.fs.ts';
import { loadBuiltinModel, modelIdOf } from './weights.fs.ts';

const CORPORA = new URL('../../policy/shipped/corpora/', import.meta.url);
const weights = readFileSync(new URL('../weights/tags.bin', import.meta.url));

function documents(part: 'tuning' | 'held-out'): TaggedDocument[] {
  const files = readdirSync(CORPORA).filter((name) => name.startsWith('documents-') && name.includes(part));
  return files.sort().flatMap((name) => {
    const lines = readFileSync(new URL(name, CORPORA), 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  });
}

describe('the shipped tags', () => {
  test('are trained from the tuning documents and nothing else: training again gives the same bytes', () => {
    const trained = serialiseModel(fitTags(documents('tuning')), TAG_READING);
    expect(modelIdOf(trained)).toBe(modelIdOf(weights));
  });
  test('another document gives other bytes', () => {
    const [first, ...rest] = documents('tuning').slice(0, 24);
    if (!first) throw new Error('no documents');
    const id = (all: readonly TaggedDocument[]) => modelIdOf(serialiseModel(fitTags(all), TAG_READING));
    expect(id([first, ...rest])).not.toBe(id([{ ...first, text: `${first.text} More.` }, ...rest]));
  });
  test('are a model of their own, small, pinned by the three policies for documents', async () => {
    const { modelId } = loadTagModel();
    expect(modelId).not.toBe(loadBuiltinModel().modelId);
    expect(weights.length).toBeLessThan(1_048_576);
    const policies = (await shippedPolicies()).map(({ text }) => JSON.parse(text));
    const tagging = policies.filter(({ contract }) => contract.kind === 'tag');
    expect(tagging.map(({ policy }) => policy).sort()).toEqual(['care-setting', 'document-type', 'retrieval-fit']);
    expect(tagging.every(({ classifier }) => classifier.model === modelId)).toBe(true);
  });
  test('are right more often than not on documents that were held out, in every facet', () => {
    const { tag } = loadTagModel();
    for (const facet of FACET_NAMES) {
      const told = documents('held-out').map((document) => document.gold[tag(document, facet, 300).tag] === 1);
      expect(told.filter(Boolean).length / told.length, facet).toBeGreaterThan(0.6);
    }
  });
  test('give shares that sum to one and the same answer each time, for any text', () => {
    const { tag } = loadTagModel();
    const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(anyText, anyText, fc.constantFrom(...FACET_NAMES), (title, text, facet) => {
        const answer = tag({ title, text }, facet, 300);
        expect(FACETS[facet]).toContain(answer.tag);
        expect(Object.keys(answer.shares)).toEqual([...FACETS[facet]]);
        expect(Object.values(answer.shares).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 4);
        expect(tag({ title, text }, facet, 300)).toEqual(answer);
      }),
    );
  });
  test('are given for a text made to be slow, too', () => {
    const { tag } = loadTagModel();
    for (const part of ['\n', '.', '_', 'a:\n', '. ', '?', 'Aa ', '(cid:', "d'"]) {
      const text = part.repeat(8_000 / part.length);
      expect(FACETS.retrieval_fit).toContain(tag({ text }, 'retrieval_fit', 300).tag);
    }
  });
  test('the passage is the sentence that speaks for the tag', () => {
    const text = 'It is raining today. The pharmacist counts the stock on the shelf of the pharmacy. Thank you.';
    const { tag, passage } = loadTagModel().tag({ text }, 'care_setting', 300);
    expect(tag).toBe('pharmacy');
    expect(text.slice(passage?.from, passage?.to)).toBe(
      'The pharmacist counts the stock on the shelf of the pharmacy.',
    );
  });
});

describe('a weights file', () => {
  test('of scores is refused as tags, and of tags as scores', () => {
    const scores = readFileSync(new URL('../weights/builtin.bin', import.meta.url));
    expect(() => parseModel(scores, TAG_READING)).toThrow('features/1');
    expect(() => parseModel(weights)).toThrow('tags/1');
  });
  test('with other tags than the program knows is refused', () => {
    const { heads, ...model } = parseModel(weights, TAG_READING);
    expect(() => createTagger({ ...model, heads: heads.slice(1) })).toThrow('other tags');
    expect(() => createTagger({ ...model, heads: [...heads].reverse() })).toThrow('other tags');
  });
});

describe('the facet of a policy', () => {
  test.each<[string, readonly string[], string | null]>([
    ['all tags of a facet', FACETS.care_setting, 'care_setting'],
    ['in another order', [...FACETS.retrieval_fit].reverse(), 'retrieval_fit'],
    ['one tag less', FACETS.document_type.slice(1), null],
    ['one tag more', [...FACETS.document_type, 'poem'], null],
    ['a tag twice', [...FACETS.document_type.slice(1), 'leaflet'], null],
    ['tags of two facets', ['guideline', 'pharmacy'], null],
    ['none', [], null],
  ])('%s', (_, labels, facet) => {
    expect(facetOf(labels)).toBe(facet);
  });
  test('no tag belongs to two', () => {
    expect(new Set(TAGS).size).toBe(TAGS.length);
  });
});

test('shares stay shares for logits of any size', () => {
  expect(softmax([1_000, 0])).toEqual([1, 0]);
  expect(softmax([-1_000, -1_000])).toEqual([0.5, 0.5]);
});

import { describe, expect, test } from 'vitest';
import { policyFaults } from './faults.ts';
import type { PolicyFault, TagDocument, VerdictDocument } from './schema.ts';
import { tagPolicy, verdictPolicy } from './testing.ts';

const broken = (changes: Partial<TagDocument>): readonly PolicyFault[] => policyFaults(tagPolicy(changes));
const label = (name: string) => ({ name, definition: 'x', examples: [], not_examples: [] });

describe('the promises of a tag policy', () => {
  test('one that keeps them has no fault', () => {
    expect(broken({})).toEqual([]);
  });

  test.each<[string, Partial<TagDocument>, string]>([
    ['a label without a consequence', { rules: { accept: ['guide'], review: [] } }, 'contract.labels[1].name'],
    [
      'a label accepted and reviewed',
      { rules: { accept: ['guide', 'form'], review: ['form'] } },
      'contract.labels[1].name',
    ],
    ['a rule about nothing', { rules: { accept: ['guide', 'form', 'map'], review: [] } }, 'rules.accept[2]'],
    [
      'a label twice',
      { contract: { kind: 'tag', evidence: true, labels: [label('guide'), label('form'), label('guide')] } },
      'contract.labels[2].name',
    ],
    [
      'an example of another label',
      { prompt: { examples: [{ input: { text: 'A map.' }, label: 'map', evidence: 'A map.' }] } },
      'prompt.examples[0].label',
    ],
    [
      'an example whose passage is not in its text',
      { prompt: { examples: [{ input: { text: 'Fill in.' }, label: 'form', evidence: 'Sign here' }] } },
      'prompt.examples[0].evidence',
    ],
    [
      'an example without a passage',
      { prompt: { examples: [{ input: { text: 'Fill in.' }, label: 'form' }] } },
      'prompt.examples[0].evidence',
    ],
    [
      'a reason twice',
      {
        reasons: [
          { code: 'a', text: 'x' },
          { code: 'a', text: 'y' },
        ],
      },
      'reasons[1].code',
    ],
    [
      'an adapter that knows no tags',
      { classifier: { adapter: 'openai-moderation', model: 'm' } },
      'classifier.adapter',
    ],
    [
      'evidence asked of an adapter that shows none',
      { classifier: { adapter: 'text-classification', model: 'm' } },
      'contract.evidence',
    ],
  ])('%s is a fault', (_, changes, path) => {
    expect(broken(changes).map((fault) => fault.path)).toContain(path);
  });

  test('without evidence an example needs no passage, and text-classification may answer', () => {
    const { contract } = tagPolicy();
    const changes: Partial<TagDocument> = {
      contract: { ...contract, evidence: false },
      classifier: { adapter: 'text-classification', model: 'm' },
      prompt: { examples: [{ input: { text: 'Fill in.' }, label: 'form' }] },
    };
    expect(broken(changes)).toEqual([]);
  });
});

describe('a word made of scores', () => {
  const line = { label: 'spam', reviewAt: 0.3, spamAt: 0.8 };
  type Adapter = 'builtin' | 'openai-moderation' | 'text-classification' | 'openai-chat' | 'http-json';
  type Params = NonNullable<VerdictDocument['classifier']['params']>;
  const faultsOf = (adapter: Adapter, params: Params) =>
    policyFaults(verdictPolicy({ classifier: { adapter, model: 'm', params } })).map(({ path }) => path);

  test.each(['builtin', 'openai-moderation', 'text-classification'] as const)('%s needs a rule', (adapter) => {
    expect(faultsOf(adapter, { verdict_rule: [line] })).toEqual([]);
    expect(faultsOf(adapter, {})).toEqual(['classifier.params.verdict_rule']);
    for (const verdict_rule of [[], 'spam', [{ label: 'spam' }], [{ ...line, reviewAt: 0.9 }], [line, line]]) {
      expect(faultsOf(adapter, { verdict_rule })).toEqual(['classifier.params.verdict_rule']);
    }
  });

  test.each(['openai-chat', 'http-json'] as const)('%s says the word itself', (adapter) => {
    expect(faultsOf(adapter, {})).toEqual([]);
  });
});

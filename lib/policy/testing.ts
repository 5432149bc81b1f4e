import type { ScoresDocument } from './schema.ts';

/** A small valid policy for tests: `spam` may restrict, `hate` is high-impact, `threat` has low support. */
export function testPolicy(changes: Partial<ScoresDocument> = {}): ScoresDocument {
  return {
    policy: 'test',
    title: 'Test policy',
    purpose: 'Holds tests together.',
    contract: {
      kind: 'scores',
      labels: [
        { name: 'spam', definition: 'Unwanted promotion.', examples: ['buy now'], not_examples: ['I bought one'] },
        { name: 'hate', definition: 'Contempt for a group.', examples: [], not_examples: [], highImpact: true },
        { name: 'threat', definition: 'Announces harm.', examples: [], not_examples: [], support: 'low' },
      ],
    },
    contract_version: 'scores/1',
    prompt: { template: 'Judge the text by these labels.', examples: [] },
    classifier: { adapter: 'builtin', model: 'scripted-1', params: {} },
    rules: [
      { label: 'spam', reviewAt: 0.4, restrictAt: 0.8, action: 'hide' },
      { label: 'hate', reviewAt: 0.5, restrictAt: 0.9, action: 'limit' },
      { label: 'threat', reviewAt: 0.2, action: 'label' },
    ],
    reasons: [{ code: 'spam', text: 'Unwanted promotion' }],
    ...changes,
  };
}

import type { ScoresDocument, TagDocument, VerdictDocument } from './schema.ts';

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

/** A small valid tag policy for tests: `guide` is accepted, `form` goes to a person. */
export function tagPolicy(changes: Partial<TagDocument> = {}): TagDocument {
  return {
    policy: 'kind',
    title: 'Kind of document',
    purpose: 'Holds tests together.',
    contract: {
      kind: 'tag',
      evidence: true,
      labels: [
        { name: 'guide', definition: 'Tells how something is done.', examples: [], not_examples: [] },
        { name: 'form', definition: 'Asks to be filled in.', examples: [], not_examples: [] },
      ],
    },
    contract_version: 'tag/1',
    prompt: { template: 'Which kind of document is it?', examples: [] },
    classifier: { adapter: 'builtin', model: 'scripted-1', params: {} },
    rules: { accept: ['guide'], review: ['form'] },
    reasons: [{ code: 'wrong', text: 'Another kind' }],
    ...changes,
  };
}

/** A small valid verdict policy for tests. */
export function verdictPolicy(changes: Partial<VerdictDocument> = {}): VerdictDocument {
  return {
    policy: 'screen',
    title: 'Screening',
    purpose: 'Holds tests together.',
    contract: { kind: 'verdict' },
    contract_version: 'verdict/1',
    prompt: { template: 'One word.', examples: [] },
    classifier: {
      adapter: 'builtin',
      model: 'scripted-1',
      params: { verdict_rule: [{ label: 'spam', reviewAt: 0.3, spamAt: 0.8 }] },
    },
    rules: { CLEAN: 'allow', SPAM: 'restrict', REVIEW: 'review' },
    reasons: [{ code: 'spam', text: 'Unwanted promotion' }],
    ...changes,
  };
}

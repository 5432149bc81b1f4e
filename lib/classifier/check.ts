import { decisionId } from '../kernel/keys.ts';
import type { PolicyDocument, ScoresDocument } from '../policy/schema.ts';
import type { ContentCall } from './answer.ts';

/** A label that every service with labels of its own knows, too. */
const LABELS: ScoresDocument['contract']['labels'] = [
  {
    name: 'hate',
    definition: 'Contempt for people because of who they are.',
    examples: ['People from there are all vermin.'],
    not_examples: ['I do not like that law.'],
  },
];

/** @returns a harmless question of our own, under a policy that pins exactly what the classifier serves. */
export function checkCall({ adapter, model }: PolicyDocument['classifier']): ContentCall {
  const policyVersion = 'check@1';
  const [contentId, revision] = ['check', '1'];
  return {
    decisionId: decisionId(contentId, revision, policyVersion),
    contentId,
    revision,
    policyVersion,
    callGroup: 0,
    document: {
      policy: 'check',
      title: 'Check',
      purpose: 'Tells whether a classifier answers as asked.',
      contract: { kind: 'scores', labels: LABELS },
      contract_version: 'scores/1',
      prompt: { template: 'Judge the text by the labels below.', examples: [] },
      classifier: { adapter, model, params: {} },
      rules: [{ label: 'hate', reviewAt: 0.5, action: 'label' }],
      reasons: [{ code: 'check', text: 'Only a check' }],
    },
    input: { text: 'The new timetable starts on Monday.' },
  };
}

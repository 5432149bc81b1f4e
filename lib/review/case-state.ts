/** What may follow what for a case: one table, tested as a table. */

export const CASE_STATES = ['open', 'claimed', 'submitted', 'closed'] as const;
export type CaseState = (typeof CASE_STATES)[number];

/** What may happen to a case. `review` is the submission becoming effective, `refuse` its being refused. */
export const CASE_STEPS = [
  'claim',
  'release',
  'expire',
  'skip',
  'defer',
  'not_sure',
  'escalate',
  'submit',
  'take_back',
  'refuse',
  'review',
  'supersede',
  'withdraw',
  'requeue',
] as const;
export type CaseStep = (typeof CASE_STEPS)[number];

/** How a case ended. Every other ending than `reviewed` is the system's or the operator's. */
export const CASE_ENDINGS = ['reviewed', 'superseded', 'withdrawn', 'requeued'] as const;
export type CaseEnding = (typeof CASE_ENDINGS)[number];

export type CaseMode = 'record' | 'hold' | 'enforce';
export type CaseKind = 'decision' | 'exception';
export type Tier = 'reviewer' | 'moderator';

const FOLLOWS: Readonly<Record<CaseState, Partial<Readonly<Record<CaseStep, CaseState>>>>> = {
  open: { claim: 'claimed', supersede: 'closed', withdraw: 'closed', requeue: 'closed' },
  claimed: {
    release: 'open',
    expire: 'open',
    skip: 'open',
    defer: 'open',
    not_sure: 'open',
    escalate: 'open',
    submit: 'submitted',
    withdraw: 'closed',
  },
  submitted: { take_back: 'claimed', refuse: 'open', review: 'closed', withdraw: 'closed' },
  closed: {},
};

/** @returns the state that follows, or null where the step is not allowed. */
export function caseAfter(state: CaseState, step: CaseStep): CaseState | null {
  return FOLLOWS[state][step] ?? null;
}

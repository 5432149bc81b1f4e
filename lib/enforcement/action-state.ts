/** What may follow what for an enforcement action: one table, tested as a table. */

export const ACTION_STATES = ['proposed', 'approved', 'applied', 'rejected', 'reversed', 'withdrawn'] as const;
export type ActionState = (typeof ACTION_STATES)[number];

/** What may happen to an action. */
export const ACTION_STEPS = ['approve', 'apply', 'reject', 'reverse', 'withdraw'] as const;
export type ActionStep = (typeof ACTION_STEPS)[number];

/** At most one action per content item is in one of these, held a second time by a partial unique index. */
export const ACTIVE_STATES = ['proposed', 'approved', 'applied'] as const satisfies readonly ActionState[];
export type ActiveState = (typeof ACTIVE_STATES)[number];

/** Why the system took a proposal or an approval back. */
export const WITHDRAWALS = ['superseded', 'removed', 'requeued', 'newer_record'] as const;
export type Withdrawal = (typeof WITHDRAWALS)[number];

const FOLLOWS: Readonly<Record<ActionState, Partial<Readonly<Record<ActionStep, ActionState>>>>> = {
  proposed: { approve: 'approved', reject: 'rejected', withdraw: 'withdrawn' },
  approved: { apply: 'applied', withdraw: 'withdrawn' },
  applied: { reverse: 'reversed' },
  rejected: {},
  reversed: {},
  withdrawn: {},
};

/** @returns the state that follows, or null where the step is not allowed. */
export function actionAfter(state: ActionState, step: ActionStep): ActionState | null {
  return FOLLOWS[state][step] ?? null;
}

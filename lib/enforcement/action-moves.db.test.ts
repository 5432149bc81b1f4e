import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tx } from '../db/pool.db.ts';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { transact } from '../db/transact.db.ts';
import { ok } from '../kernel/result.ts';
import { ACTION_STATES, ACTION_STEPS, type ActionState, type ActionStep, actionAfter } from './action-state.ts';
import { withdrawActions } from './actions.db.ts';
import { findAction, markApplied, markApproved, markRejected, markReversed } from './decide.db.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
  await db.pool.query("INSERT INTO source (name, kind) VALUES ('s', 'backfill')");
});
afterAll(() => db.close());

const MODERATOR = 'user:11111111-1111-4111-8111-111111111111';
/** How each step is really taken. */
const STEPS: Record<ActionStep, (tx: Tx, id: string) => Promise<unknown>> = {
  approve: (tx, id) => markApproved(tx, id, MODERATOR),
  apply: (tx, id) => markApplied(tx, id, 1),
  reject: (tx, id) => markRejected(tx, id, MODERATOR, 'released'),
  reverse: (tx, id) => markReversed(tx, id, 'reviewed'),
  withdraw: (tx, id) => withdrawActions(tx, { actionIds: [id], closedAs: 'newer_record' }),
};
/** The way from a new proposal to each state. */
const WAYS: Record<ActionState, readonly ActionStep[]> = {
  proposed: [],
  approved: ['approve'],
  applied: ['approve', 'apply'],
  rejected: ['reject'],
  reversed: ['approve', 'apply', 'reverse'],
  withdrawn: ['withdraw'],
};

const take = (id: string, step: ActionStep) =>
  transact<null, never>(db.pool, async (tx) => {
    await STEPS[step](tx, id);
    return ok(null);
  });

let counter = 0;
async function place(state: ActionState): Promise<string> {
  const { rows } = await db.pool.query<{ id: string }>(
    `INSERT INTO enforcement_action (content_id, revision, decision_id, policy_version, status_version, action, proposed_by)
     VALUES ($1, '1', $1, 'forum@1', 0, 'hide', 'policy:forum@1') RETURNING id`,
    [`item-${++counter}`],
  );
  const id = rows[0]?.id ?? '';
  for (const step of WAYS[state]) await take(id, step);
  return id;
}

describe('what may follow what for an action is what the statements do', () => {
  const cells = ACTION_STATES.flatMap((state) => ACTION_STEPS.map((step) => [state, step] as const));
  test.each(cells)('%s, %s', async (state, step) => {
    const id = await place(state);
    expect((await findAction(db.pool, id))?.state).toBe(state);
    const next = actionAfter(state, step);
    // Withdrawing passes over what is closed or applied; every other step that is not allowed is a bug of its caller.
    if (next === null && step !== 'withdraw') await expect(take(id, step)).rejects.toThrow('moved under its lock');
    else await take(id, step);
    expect((await findAction(db.pool, id))?.state).toBe(next ?? state);
  });
});

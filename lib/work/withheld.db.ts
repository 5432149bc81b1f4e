import { lockGoverning } from '../content/governing.db.ts';
import { lockContent } from '../content/status.db.ts';
import type { Pool, Tx } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { ok } from '../kernel/result.ts';
import type { Because, Verdict } from '../policy/verdict.ts';
import { findPolicy, type PolicyVersion } from '../policy/versions.db.ts';
import { applyEffects } from './effects.db.ts';
import { decisionFinding } from './fate.ts';
import { SWEEP_BATCH_COUNT } from './limits.ts';
import { findRun, shareRun } from './runs.db.ts';
import { LOCK_WITHHELD, RUNS_WITH_WITHHELD, SET_EFFECTS, WITHHELD_DECISIONS } from './withheld.sql.ts';

type ItemRow = { id: number; content_id: string; revision: string; decision_id: string; source: string };
type DecisionRow = { decision_id: string; verdict: Verdict; because: Because[] };

/**
 * Sweep: applies what was withheld until the go, by the same rules and checked again: what was edited, reviewed or
 * deleted meanwhile comes out as `superseded`, `late` or `none`. Batch by batch, each whole or not at all.
 * @returns items whose effect is decided now.
 */
export async function applyWithheld(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ id: string }>(RUNS_WITH_WITHHELD);
  let applied = 0;
  for (const { id: runId } of rows) {
    const run = await findRun(pool, runId);
    const policy = run && (await findPolicy(pool, run.policyVersion));
    if (!policy) throw new Error('a run without its policy version');
    for (let batch = SWEEP_BATCH_COUNT; batch === SWEEP_BATCH_COUNT; applied += batch) {
      batch = await applyBatch(pool, runId, policy);
    }
  }
  return applied;
}

async function applyBatch(pool: Pool, runId: string, policy: PolicyVersion): Promise<number> {
  const done = await transact<number, never>(pool, async (tx) => {
    const run = await shareRun(tx, runId);
    if (run.canaryOpen || !(run.state === 'running' || run.state === 'complete')) return ok(0);
    const { rows: items } = await tx.query<ItemRow>(LOCK_WITHHELD, [runId, SWEEP_BATCH_COUNT]);
    if (items.length === 0) return ok(0);
    const governing = await lockGoverning(
      tx,
      items.map((item) => item.source),
      policy.slug,
    );
    const found = await foundOf(tx, items, policy);
    const { outcomes } = await applyEffects(tx, run, governing, found);
    const effects = outcomes.map(({ effect }) => effect);
    const { rowCount } = await tx.query(SET_EFFECTS, [items.map((item) => item.id), effects]);
    if (rowCount !== items.length) throw new Error('an item moved under its lock');
    return ok(items.length);
  });
  if (!done.ok) throw new Error('applying what was withheld has no refusals');
  return done.value;
}

async function foundOf(
  tx: Tx,
  items: readonly ItemRow[],
  policy: PolicyVersion,
): Promise<Parameters<typeof applyEffects>[3]> {
  const content = await lockContent(
    tx,
    items.map((item) => item.content_id),
  );
  const { rows } = await tx.query<DecisionRow>(WITHHELD_DECISIONS, [items.map((item) => item.decision_id)]);
  const decisions = new Map(rows.map((row) => [row.decision_id, row]));
  return items.map((item) => {
    const decision = decisions.get(item.decision_id);
    const itsContent = content.get(item.content_id);
    if (!decision || !itsContent) throw new Error('a classified item without its decision or content');
    return {
      item: { contentId: item.content_id, revision: item.revision, decisionId: item.decision_id },
      finding: decisionFinding(decision, policy.document),
      content: itsContent,
    };
  });
}

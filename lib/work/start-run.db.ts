import { type Actor, writeAudit } from '../audit/audit.db.ts';
import { governWhereNone } from '../content/governing.db.ts';
import { findSnapshot, type Snapshot, snapshotTotals } from '../content/snapshot.db.ts';
import type { Pool, Queryable, Tx } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { ok, type Result, refused } from '../kernel/result.ts';
import { findPolicy, type PolicyVersion } from '../policy/versions.db.ts';
import { drawCanary } from './canary.db.ts';
import { isRunName, runNames } from './run-name.ts';
import type { RunMode } from './run-state.ts';
import { findRun, OPERATOR_SLOT, type Run } from './runs.db.ts';
import { INSERT_RUN, NAMES_LIKE } from './runs.sql.ts';
import { settleStanding } from './standing.db.ts';
import { ADMIT, ANALYZE_WORK_ITEM } from './start-run.sql.ts';

export type StartRefusal =
  | 'unknown_snapshot'
  | 'unknown_policy'
  | 'mode_not_built'
  | 'bad_name'
  | 'name_taken'
  | 'settings_differ'
  | 'classifier_mismatch'
  | 'not_governing';

export type StartRun = {
  /** Name or id. */
  readonly snapshot: string;
  /** `slug@n`. */
  readonly policyVersion: string;
  /** Left out: made of the snapshot's name and the policy version. */
  readonly name?: string | undefined;
  readonly mode: RunMode;
  /** The classifier that will do the work, as the caller found it configured. */
  readonly classifier: {
    readonly name: string;
    readonly adapter: string;
    readonly models: readonly string[];
    /** In the operator's currency; kept with the start, so that projections can be said in money. */
    readonly pricePerMillionUnits?: number | undefined;
  };
  /** Calls at a time in one worker. */
  readonly concurrency: number;
  readonly notBefore?: Date | null;
  /** So many items are called first, and then the run waits for a go. */
  readonly canary?: number | undefined;
  /** Units after which the run pauses. */
  readonly ceilingUnits?: number | undefined;
  readonly actor: Actor;
};

/** `started` is false where a run of this name with the same snapshot, policy version and mode was there already. */
export type StartedRun = { readonly run: Run; readonly started: boolean; readonly governingSet: readonly string[] };

type Plan = StartRun & { readonly found: Snapshot; readonly policy: PolicyVersion; readonly runName: string };

/**
 * Act: starts a run. Run and work items are admitted in one transaction; in hold mode the policy version is made to
 * govern the sources that none governs yet, audited. Items whose decision stands already are settled afterwards without
 * a call.
 * @returns the run; or the refusal, of which `not_governing` says how many sources another version governs (nothing of
 * the run is kept then), `name_taken` that the name means a run of something else or one that was cancelled, and
 * `settings_differ` that the run is there with another ceiling or canary than was asked for.
 */
export async function startRun(pool: Pool, asked: StartRun): Promise<Result<StartedRun, StartRefusal>> {
  const planned = await plan(pool, asked);
  if (!planned.ok) return planned;
  const admitted = await transact<StartedRun, StartRefusal>(pool, (tx) => admit(tx, planned.value));
  if (!admitted.ok || !admitted.value.started) return admitted;
  const { run, governingSet } = admitted.value;
  await pool.query(ANALYZE_WORK_ITEM);
  await settleStanding(pool, { runId: run.id, policy: planned.value.policy, slot: OPERATOR_SLOT });
  return ok({ run: (await findRun(pool, run.id)) ?? run, started: true, governingSet });
}

async function plan(db: Queryable, asked: StartRun): Promise<Result<Plan, StartRefusal>> {
  if (asked.mode === 'enforce') return refused('mode_not_built');
  if (asked.name !== undefined && !isRunName(asked.name)) return refused('bad_name');
  const found = await findSnapshot(db, asked.snapshot);
  if (!found) return refused('unknown_snapshot');
  const policy = await findPolicy(db, asked.policyVersion);
  if (!policy) return refused('unknown_policy');
  const { adapter, models } = asked.classifier;
  if (adapter !== policy.adapter || !models.includes(policy.model)) {
    return refused('classifier_mismatch', { needs_adapter: policy.adapter, needs_model: policy.model });
  }
  return ok({ ...asked, found, policy, runName: asked.name ?? (await freeName(db, found.name, policy.policyVersion)) });
}

async function freeName(db: Queryable, snapshot: string, policyVersion: string): Promise<string> {
  for (let from = 1; ; from += 100) {
    const names = runNames(snapshot, policyVersion, from, 100);
    const { rows } = await db.query<{ name: string }>(NAMES_LIKE, [names]);
    const taken = new Set(rows.map((row) => row.name));
    const free = names.find((name) => !taken.has(name));
    if (free !== undefined) return free;
  }
}

async function admit(tx: Tx, planned: Plan): Promise<Result<StartedRun, StartRefusal>> {
  const { found, policy, mode, actor } = planned;
  const { rows } = await tx.query<{ id: string }>(INSERT_RUN, [
    planned.runName,
    found.id,
    policy.policyVersion,
    mode,
    planned.classifier.name,
    planned.concurrency,
    planned.notBefore ?? null,
    actor,
    planned.ceilingUnits ?? null,
  ]);
  if (!rows[0]) return standingRun(tx, planned);
  const runId = rows[0].id;
  const governed = await govern(tx, planned);
  if (!governed.ok) return governed;
  const { rowCount } = await tx.query(ADMIT, [runId, found.id, policy.policyVersion]);
  if (rowCount !== found.revisions) throw new Error('a snapshot holds another number of members than it closed with');
  const canary = planned.canary === undefined ? null : await drawCanary(tx, { runId, size: planned.canary });
  await writeAudit(tx, {
    actor,
    kind: 'run.started',
    subject: `run:${runId}`,
    data: {
      snapshot_id: found.id,
      policy_version: policy.policyVersion,
      mode,
      items: rowCount,
      canary,
      ceiling_units: planned.ceilingUnits ?? null,
      price_per_million_units: planned.classifier.pricePerMillionUnits ?? null,
    },
  });
  const run = await findRun(tx, runId);
  if (!run) throw new Error('a run vanished inside its transaction');
  return ok({ run, started: true, governingSet: governed.value });
}

/** The same words again are no second run: it is the one that bears the name. */
async function standingRun(tx: Tx, planned: Plan): Promise<Result<StartedRun, StartRefusal>> {
  const run = await findRun(tx, planned.runName);
  const same =
    run !== null &&
    run.state !== 'cancelled' &&
    run.snapshotId === planned.found.id &&
    run.policyVersion === planned.policy.policyVersion &&
    run.mode === planned.mode;
  if (!same) return refused('name_taken');
  // Whoever names a ceiling or a canary must not learn from the bill that it did not hold.
  const { ceilingUnits = run.ceilingUnits } = planned;
  // A run that is smaller than what was asked for is a canary as a whole.
  const canary = planned.canary === undefined ? run.canaryCount : Math.min(planned.canary, planned.found.revisions);
  if (ceilingUnits !== run.ceilingUnits || canary !== run.canaryCount) return refused('settings_differ');
  return ok({ run, started: false, governingSet: [] });
}

/** Hold mode acts on content, so its version must govern every source of the snapshot; a run is refused whole. */
async function govern(tx: Tx, planned: Plan): Promise<Result<string[], StartRefusal>> {
  if (planned.mode === 'record') return ok([]);
  const { policyVersion } = planned.policy;
  const totals = await snapshotTotals(tx, planned.found.id);
  const sources = [...new Set(totals.map((total) => total.source))];
  const { set, inForce } = await governWhereNone(tx, { sources, policyVersion, actor: planned.actor });
  const others = sources.filter((source) => inForce.get(source) !== policyVersion);
  if (others.length > 0) return refused('not_governing', { sources: others.length, of: sources.length });
  for (const source of set) {
    await writeAudit(tx, {
      actor: planned.actor,
      kind: 'content.governing_set',
      subject: `source:${source}`,
      data: { policy_version: policyVersion },
    });
  }
  return ok(set);
}

import type { Classifier } from '../../classifier/answer.ts';
import { scriptedClassifier } from '../../classifier/testing/scripted.ts';
import type { Pool } from '../../db/pool.db.ts';
import type { PolicyVersion } from '../../policy/versions.db.ts';
import { startRun } from '../start-run.db.ts';
import { type SeedRow, seedPolicy, seedSnapshot, views } from './corpus.db.ts';

/** What a test of this room works with: a policy, a scripted classifier, and runs over rows of its own. */
export type Workroom = {
  readonly pool: Pool;
  readonly policy: PolicyVersion;
  readonly classifier: ReturnType<typeof scriptedClassifier>;
  readonly see: ReturnType<typeof views>;
  start(rows: readonly SeedRow[], options?: StartOptions): Promise<string>;
};
type StartOptions = {
  readonly mode?: 'record' | 'hold';
  readonly policy?: PolicyVersion;
  readonly classifier?: Classifier;
  readonly name?: string;
  readonly canary?: number;
  readonly ceilingUnits?: number;
};

let snapshots = 0;

/** @returns a work room on this database; several may share it. */
export async function workroom(pool: Pool): Promise<Workroom> {
  const policy = await seedPolicy(pool);
  const classifier = scriptedClassifier();
  return {
    pool,
    policy,
    classifier,
    see: views(pool),
    start: async (rows, options = {}) => {
      const snapshot = `snapshot-${++snapshots}`;
      await seedSnapshot(pool, snapshot, rows);
      const started = await startRun(pool, {
        snapshot,
        policyVersion: (options.policy ?? policy).policyVersion,
        mode: options.mode ?? 'record',
        name: options.name,
        classifier: options.classifier ?? classifier,
        concurrency: 8,
        canary: options.canary,
        ceilingUnits: options.ceilingUnits,
        actor: 'cli',
      });
      if (!started.ok) throw new Error(started.refusal);
      return started.value.run.id;
    },
  };
}

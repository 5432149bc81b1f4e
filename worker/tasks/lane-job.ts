import type { Classifier } from '../../lib/classifier/answer.ts';
import type { Pool } from '../../lib/db/pool.db.ts';
import type { PolicyVersion } from '../../lib/policy/versions.db.ts';
import type { Streak } from '../../lib/work/call-end.ts';
import type { Measured } from '../../lib/work/reserve.ts';
import type { Run } from '../../lib/work/runs.db.ts';
import type { FlushReport } from '../../lib/work/settle.db.ts';
import type { Log } from '../log.ts';
import type { Solitude } from './solitude.ts';

/** What a lane works with. */
export type LaneJob = {
  readonly pool: Pool;
  readonly run: Run;
  readonly policy: PolicyVersion;
  readonly classifier: Classifier;
  /** What answers of this run measured before; what is set aside for an attempt follows it. */
  readonly measured: Measured;
  /** Of the installation, for nonces. */
  readonly secret: string;
  /** The registration at this moment. */
  worker(): { readonly id: string; readonly slot: number };
  /** Upstream faults in a row: kept while the run goes on here, also while all its items wait and no lane is open. */
  readonly streak: { current: Streak };
  readonly solitude: Solitude;
  readonly log: Log;
  onFlush(report: FlushReport): void;
  /** Shortens the breaker's waits, for tests. */
  readonly coolFactor?: number | undefined;
};

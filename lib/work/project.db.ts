import type { Queryable } from '../db/pool.db.ts';
import { MEASURED_CANARY, PROJECTED_STRATA } from './canary.sql.ts';
import { type Stratum, strataCount } from './canary.ts';
import { type Measured, type Projection, projectUnits } from './project.ts';
import type { Run } from './runs.db.ts';

type MeasuredRow = {
  stratum: number;
  bytes: number;
  units: number;
  request_bytes: number;
  content_bytes: number;
};

/**
 * Projects what a run will use, from the part of its canary that has ended.
 * @returns the projection in units, or null where the run has no canary that is open, or too little of it has ended.
 */
export async function projectRun(
  db: Queryable,
  run: Pick<Run, 'id' | 'canaryOpen' | 'canaryCount'>,
): Promise<Projection | null> {
  if (!run.canaryOpen || run.canaryCount === null) return null;
  const quantiles = strataCount(run.canaryCount);
  const strata = await db.query<Stratum>(PROJECTED_STRATA, [run.id, quantiles]);
  const measured = await db.query<MeasuredRow>(MEASURED_CANARY, [run.id, quantiles]);
  return projectUnits(strata.rows, measured.rows.map(toMeasured));
}

function toMeasured(row: MeasuredRow): Measured {
  return {
    stratum: row.stratum,
    bytes: row.bytes,
    units: row.units,
    requestBytes: row.request_bytes,
    contentBytes: row.content_bytes,
  };
}

import path from 'node:path';
import type { Actor } from '../audit/audit.db.ts';
import type { Pool, Tx } from '../db/pool.db.ts';
import { exists, removePartial, seesParent } from './bundle-folder.fs.ts';
import { FILE_NAMES } from './manifest.ts';
import { countTotals } from './read.db.ts';
import { abandonExport, type Exported, publishExport, type Unfinished, unfinishedExports } from './records.db.ts';
import { compareTotals } from './tally.ts';
import { type Verification, verifyBundle } from './verify.fs.ts';

/** What the caller asks of a bundle; a mended one is the answer only if it is just that. */
export type Wanted = {
  readonly outFolder: string;
  readonly gzip: boolean;
  readonly purpose: string | null;
  readonly actor: Actor;
};

/**
 * Brings the exports of dead processes to their end, under the run's export lock. A bundle that got its name but was
 * never marked is verified against the hash that was kept before the rename and published; an unfinished build is
 * removed, ours alone, by the id in its name. Builds in folders that this machine does not see are left for one that does.
 * @returns a mended bundle that is exactly what was asked for and still counts what the run holds, or null.
 */
export async function mendExports(pool: Pool, tx: Tx, runId: string, wanted: Wanted): Promise<Exported | null> {
  let answer: Exported | null = null;
  for (const one of await unfinishedExports(pool, runId)) {
    const identity = { exportId: one.exportId, runId, actor: wanted.actor };
    if (await exists(one.path)) {
      answer = (await mendRenamed(pool, tx, identity, { one, wanted })) ?? answer;
    } else if (await seesParent(one.path)) {
      await removePartial(one.path);
      await abandonExport(pool, identity, 'died');
    }
  }
  return answer;
}

async function mendRenamed(
  pool: Pool,
  tx: Tx,
  identity: { readonly exportId: string; readonly runId: string; readonly actor: Actor },
  { one, wanted }: { readonly one: Unfinished; readonly wanted: Wanted },
): Promise<Exported | null> {
  const { manifestSha256 } = one;
  const found = manifestSha256 === null ? null : await verifyBundle(one.path, { manifestSha256 });
  if (!found?.ok || manifestSha256 === null || !found.manifest) {
    // Whatever stands there is not the bundle that was finished; it is named in the audit and left for people to see.
    await abandonExport(pool, identity, 'not_sound');
    return null;
  }
  const { rows, exceptions } = found;
  const seal = { rows, exceptions, manifestSha256, supersedes: found.manifest.supersedes };
  const published = await publishExport(pool, { ...identity, ...seal });
  if (!published.ok || !(await answers(tx, identity.runId, { one, wanted, found }))) return null;
  return { exportId: one.exportId, path: one.path, ...seal, mended: true };
}

async function answers(
  tx: Tx,
  runId: string,
  { one, wanted, found }: { readonly one: Unfinished; readonly wanted: Wanted; readonly found: Verification },
): Promise<boolean> {
  if (!found.manifest || path.dirname(one.path) !== path.resolve(wanted.outFolder)) return false;
  const gzip = found.manifest.files[0].name === FILE_NAMES.decision.gzip;
  if (gzip !== wanted.gzip || one.purpose !== wanted.purpose) return false;
  const { totals } = await countTotals(tx, runId);
  return compareTotals(found.manifest.control_totals, totals).length === 0;
}

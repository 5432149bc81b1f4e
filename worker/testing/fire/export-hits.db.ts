import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { exportRun } from '../../../lib/exports/export-run.db.ts';
import { verifyBundle } from '../../../lib/exports/verify.fs.ts';
import { startCli } from '../cli.ts';
import { aftermathOf, type ExportBarrier } from './barriers.ts';
import { EXPORTS_OF, UNFINISHED_EXPORTS } from './books.sql.ts';
import type { Crew } from './crew.db.ts';
import { bury, closeExceptions, closeGate, type Gate } from './gates.db.ts';
import { addressOf, mixed, type Scene, type StartedRun } from './scene.db.ts';

const FEED_COUNT = 100;

/**
 * Kills `docket export` at a barrier, again and again, while the crew has other work. After each kill no bundle is half
 * there, and every second time an export that is left alone follows, which has to clear up.
 */
export async function hitExports(
  scene: Scene,
  crew: Crew,
  { barrier, hits, onHit }: { readonly barrier: ExportBarrier; readonly hits: number; onHit(count: number): void },
): Promise<void> {
  await crew.fill();
  const [run] = await scene.start(mixed(FEED_COUNT));
  if (!run) throw new Error('no run');
  await scene.finish();
  const out = path.join(scene.folder, barrier);
  for (let count = 0; count < hits; count++) {
    await scene.start(mixed(FEED_COUNT));
    await killExport(scene, { barrier, run, out, nth: count });
    await expectWholeBundles(out);
    if (count % 2 === 1) await exportInOrder(scene, run, out);
    onHit(count + 1);
  }
  await exportInOrder(scene, run, out);
  await scene.finish();
}

type Job = { barrier: ExportBarrier; run: StartedRun; out: string; nth: number };

async function killExport(scene: Scene, { barrier, run, out, nth }: Job): Promise<void> {
  const { pool, url } = scene.database;
  const number = scene.number();
  const gate: Gate =
    barrier === 'during_export' ? await closeExceptions(pool, number) : await closeGate(pool, barrier, [number]);
  const { child, end } = startCli(addressOf(url, number), ['export', run.name, '--out', out], scene.folder);
  const early = end.then(({ exit, stderr }) => {
    throw new Error(`an export ended before the barrier: ${exit} ${stderr}`);
  });
  await Promise.race([gate.standing(), early]).catch(async (thrown: unknown) => {
    await gate.open();
    throw thrown;
  });
  child.kill('SIGKILL');
  early.catch(() => {});
  if ((await end).exit !== null) throw new Error('an export that was killed had ended before');
  await proveHit(scene, { barrier, run, out });
  await bury(pool, gate, [number], aftermathOf(barrier, nth));
}

/** What lies on the disk and stands in the table at just this barrier. */
async function proveHit(scene: Scene, { barrier, run, out }: Omit<Job, 'nth'>): Promise<void> {
  const { rows } = await scene.database.pool.query<{ id: string; sealed: boolean }>(UNFINISHED_EXPORTS, [run.id]);
  const names = await readdir(out);
  const partial = names.filter((name) => name.endsWith('.partial'));
  const renamed = rows.filter(({ id, sealed }) => sealed && names.includes(id));
  const proven =
    barrier === 'between_rename_and_marking' ? renamed.length > 0 : partial.length > 0 && renamed.length === 0;
  if (!proven) throw new Error(`killed at ${barrier}, but ${partial.length} partial and ${renamed.length} renamed`);
  if (barrier === 'during_export') {
    const half = await verifyBundle(path.join(out, partial[0] ?? ''));
    if (half.ok) throw new Error('a bundle was whole in the middle of its export');
  }
}

/** A bundle is absent or valid. */
async function expectWholeBundles(out: string): Promise<number> {
  const names = (await readdir(out)).filter((name) => !name.endsWith('.partial'));
  for (const name of names) {
    const verified = await verifyBundle(path.join(out, name));
    if (!verified.ok) throw new Error(`a bundle with a name is not valid: ${verified.problems[0]?.code}`);
  }
  return names.length;
}

/** An export that nobody disturbs ends well, leaves nothing behind that is unfinished, and marks what it holds. */
async function exportInOrder(scene: Scene, run: StartedRun, out: string): Promise<void> {
  const { pool } = scene.database;
  const docket = { version: '0.1.0', commit: null };
  const result = await exportRun(pool, {
    run: run.name,
    outFolder: out,
    gzip: false,
    purpose: null,
    actor: 'cli',
    docket,
  });
  if (!result.ok) throw new Error(`an export in order was refused: ${JSON.stringify(result)}`);
  const verified = await verifyBundle(result.value.path, { manifestSha256: result.value.manifestSha256 });
  if (!verified.ok) throw new Error('an export in order is not valid');
  if ((await readdir(out)).some((name) => name.endsWith('.partial'))) throw new Error('a partial bundle was left');
  const { rows } = await pool.query<{ building: number; published: number; unmarked: number }>(EXPORTS_OF, [run.id]);
  const { building, published, unmarked } = rows[0] ?? {};
  const bundles = await expectWholeBundles(out);
  if (building !== 0 || unmarked !== 0 || published !== bundles) {
    throw new Error(
      `after an export: ${building} building, ${unmarked} unmarked, ${published} of ${bundles} published`,
    );
  }
}

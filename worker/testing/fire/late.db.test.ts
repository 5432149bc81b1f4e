import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expireLeases, makeDue, views } from '../../../lib/work/testing/corpus.db.ts';
import { aliveWorkers } from '../../../lib/work/workers.db.ts';
import { audit } from './books.db.ts';
import { type Crew, makeCrew } from './crew.db.ts';
import { closeGate, until } from './gates.db.ts';
import { startProxy } from './proxy.http.ts';
import { addressOf, makeScene, mixed, type Scene } from './scene.db.ts';

let scene: Scene;
let crew: Crew;
beforeEach(async () => {
  scene = await makeScene();
  crew = makeCrew(scene, 2);
});
// Processes that were left hanging in one story must not stand in the way of the next.
afterEach(async () => {
  crew.abandon();
  await scene.close();
});

const lineage = async (runId: string) => (await views(scene.database.pool).lineage(runId)).map((row) => row.outcome);
const verdicts = async (runId: string) => {
  const { rows } = await scene.database.pool.query<{ verdict: string }>(
    'SELECT d.verdict FROM decision d JOIN work_item w ON w.id = d.work_item_id WHERE w.run_id = $1 ORDER BY w.id',
    [runId],
  );
  return rows.map((row) => row.verdict);
};
const ended = async (runId: string) =>
  until('the end of a run', async () => {
    await makeDue(scene.database.pool);
    const items = await views(scene.database.pool).items(runId);
    return items.every((item) => item.state === 'classified' || item.state === 'failed_review') || undefined;
  });

describe('leases that run out under a call', { retry: 2 }, () => {
  /** A worker that is frozen with two calls of a run under way, whose leases have run out. */
  async function frozenInCalls() {
    const late = await crew.hire();
    const calls = scene.classifier.hold([late.number]);
    const [run] = await scene.start(['worst', 'worst'], { concurrency: 2 });
    if (!run) throw new Error('no run');
    await until('two calls', async () => calls.held().length === 2 || undefined);
    // Frozen, or it would take its own items back as well as anybody.
    late.process.signal('SIGSTOP');
    await expireLeases(scene.database.pool);
    return { late, calls, run };
  }

  test('an answer that comes while the second worker is calling is dropped, and the second decides', async () => {
    const { late, calls, run } = await frozenInCalls();
    const again = scene.classifier.hold('all', 'worst');
    const second = await crew.hire();
    expect(await again.standing()).toEqual([second.number]);
    late.process.signal('SIGCONT');
    await calls.open('fine');
    crew.dismiss(late);
    expect(await late.process.ended).toBe(0);
    expect(late.process.events).not.toContain('flush_failed');
    expect(await verdicts(run.id)).toEqual([]);
    await again.open();
    await ended(run.id);
    await crew.stop();
    expect(await verdicts(run.id)).toEqual(['restrict', 'restrict']);
    expect(await lineage(run.id)).toEqual(['lease_expired', 'ok', 'lease_expired', 'ok']);
    expect(await audit(scene.database.pool)).toEqual([]);
  });

  test('the second worker decides, with as many calls at once as ever; the late answer is dropped and does no harm', async () => {
    const { late, calls, run } = await frozenInCalls();
    const second = await crew.hire();
    await ended(run.id);
    const busy = scene.classifier.hold([second.number]);
    const [more] = await scene.start(['fine', 'fine'], { concurrency: 2 });
    await until('two calls of the second worker', async () => busy.held().length === 2 || undefined);
    await busy.open();
    await ended(more?.id ?? '');
    late.process.signal('SIGCONT');
    await calls.open('fine');
    await crew.stop();
    expect(await verdicts(run.id)).toEqual(['restrict', 'restrict']);
    expect(await lineage(run.id)).toEqual(['lease_expired', 'ok', 'lease_expired', 'ok']);
    expect(await lineage(more?.id ?? '')).toEqual(['ok', 'ok']);
    expect(late.process.events).not.toContain('flush_failed');
    expect(await audit(scene.database.pool)).toEqual([]);
  });
});

describe('duplicate delivery', { retry: 2 }, () => {
  test('a flush whose commit was done but never confirmed is sent again by its worker, and counts once', async () => {
    const proxy = await startProxy(scene.database.url);
    try {
      const number = scene.number() + 1;
      const worker = await crew.hire({ DATABASE_URL: addressOf(proxy.url, number) });
      expect(worker.number).toBe(number);
      const gate = await closeGate(scene.database.pool, 'during_commit', [number]);
      const [run] = await scene.start(mixed(8));
      if (!run) throw new Error('no run');
      expect(await gate.standing()).toEqual([number]);
      const notice = proxy.cut();
      await until('the failure of the flush', async () => worker.process.events.includes('flush_failed') || undefined);
      expect(await verdicts(run.id)).toEqual([]);
      await gate.open();
      const first = await until('the commit without its client', async () => {
        const done = await verdicts(run.id);
        return done.length > 0 ? done : undefined;
      });
      expect(first.length).toBeGreaterThan(0);
      notice();
      await scene.finish();
      await crew.stop();
      expect((await lineage(run.id)).filter((outcome) => outcome === 'lease_expired')).toEqual([]);
      expect(await audit(scene.database.pool)).toEqual([]);
    } finally {
      await proxy.close();
    }
  });
});

describe('two workers with one slot', { retry: 2 }, () => {
  test('a worker that was frozen until its slot was given away counts on correctly, and takes another', async () => {
    const { pool } = scene.database;
    const frozen = await crew.hire();
    const calls = scene.classifier.hold([frozen.number]);
    await scene.start(mixed(6));
    await calls.standing();
    frozen.process.signal('SIGSTOP');
    const given = (await aliveWorkers(pool)).find((one) => one.id === frozen.workerId)?.slot;
    await pool.query(`UPDATE worker SET last_seen_at = clock_timestamp() - interval '2 minutes' WHERE id = $1`, [
      frozen.workerId,
    ]);
    const heir = await crew.hire();
    const slotOf = async (workerId: string) => (await aliveWorkers(pool)).find((one) => one.id === workerId)?.slot;
    const slot = await slotOf(heir.workerId);
    expect([await slotOf(frozen.workerId), given]).toEqual([undefined, slot]);
    await scene.start(mixed(30));
    frozen.process.signal('SIGCONT');
    await calls.open();
    await scene.finish();
    const slots = await until('a slot of its own for the one that was frozen', async () => {
      const alive = await aliveWorkers(pool);
      return alive.length === 2 ? alive.map((worker) => worker.slot) : undefined;
    });
    expect(new Set(slots).size).toBe(2);
    expect(slots).toContain(slot);
    await crew.stop();
    expect(await audit(pool)).toEqual([]);
  });
});

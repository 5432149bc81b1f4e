import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { expireLeases, views } from '../../../lib/work/testing/corpus.db.ts';
import { audit } from './books.db.ts';
import { type Crew, makeCrew } from './crew.db.ts';
import { until } from './gates.db.ts';
import { makeScene, mixed, type Scene } from './scene.db.ts';

let scene: Scene;
let crew: Crew;
beforeAll(async () => {
  scene = await makeScene();
  crew = makeCrew(scene, 2);
});
afterEach(() => {
  crew.abandon();
  crew = makeCrew(scene, 2);
});
afterAll(() => scene.close());

/** What workers that are gone left in hand, and what their attempts came to. */
async function leftovers(workerId: string): Promise<{ leased: number; expired: number; open: number }> {
  const { rows } = await scene.database.pool.query(
    `SELECT (SELECT count(*) FROM work_item WHERE lease_worker = $1)::int AS leased,
            (SELECT count(*) FROM attempt_outcome WHERE outcome = 'lease_expired')::int AS expired,
            (SELECT count(*) FROM attempt a JOIN work_item w ON w.id = a.work_item_id
             WHERE w.lease_worker = $1 AND a.number = w.attempt_count + 1)::int AS open`,
    [workerId],
  );
  return rows[0];
}

describe('a worker that is asked to stop in the middle of much work, while another goes on', () => {
  test('begins no call, ends those under way, gives back all the rest and spends nothing on it', async () => {
    const leaving = await crew.hire();
    const calls = scene.classifier.hold([leaving.number]);
    const runs = await scene.start(mixed(200), { runs: 2 });
    await until('calls of both runs', async () => calls.held().length >= 4 || undefined);
    await crew.hire();
    crew.dismiss(leaving);
    await leaving.process.said('draining');
    const asked = scene.classifier.asked(leaving.number);
    await calls.open();
    expect(await leaving.process.ended).toBe(0);
    expect(scene.classifier.asked(leaving.number)).toBe(asked);
    expect(leaving.process.events.at(-1)).toBe('worker_stopped');
    expect(await leftovers(leaving.workerId)).toEqual({ leased: 0, expired: 0, open: 0 });
    await scene.finish();
    await crew.stop();
    for (const { id } of runs) {
      const lineage = await views(scene.database.pool).lineage(id);
      expect(lineage.filter((row) => row.outcome === 'released').every((row) => row.spends === false)).toBe(true);
    }
    expect(await audit(scene.database.pool)).toEqual([]);
  });

  test('asked a second time it gives up its calls at once, with nothing spent, and another answers them', async () => {
    const leaving = await crew.hire();
    const calls = scene.classifier.hold([leaving.number]);
    const [run] = await scene.start(mixed(60));
    await calls.standing();
    crew.dismiss(leaving);
    await leaving.process.said('draining');
    leaving.process.signal('SIGTERM');
    expect(await leaving.process.ended).toBe(0);
    expect(await leftovers(leaving.workerId)).toEqual({ leased: 0, expired: 0, open: 0 });
    const items = await views(scene.database.pool).items(run?.id ?? '');
    expect(items.every((item) => item.state === 'pending' && item.spent_count === 0 && !item.alone)).toBe(true);
    await calls.open();
    await crew.hire();
    await scene.finish();
    await crew.stop();
    expect(await audit(scene.database.pool)).toEqual([]);
  });

  test('whose lease is lost while it drains changes nothing that is another’s by then', async () => {
    const leaving = await crew.hire();
    const calls = scene.classifier.hold([leaving.number]);
    const [run] = await scene.start(['worst', 'worst', 'spam'], { concurrency: 3 });
    await until('three calls', async () => calls.held().length === 3 || undefined);
    crew.dismiss(leaving);
    await leaving.process.said('draining');
    await expireLeases(scene.database.pool);
    await crew.hire();
    await scene.finish();
    const before = (await scene.database.pool.query('SELECT decision_id, xmin FROM decision ORDER BY 1')).rows;
    await calls.open('fine');
    expect(await leaving.process.ended).toBe(0);
    expect((await scene.database.pool.query('SELECT decision_id, xmin FROM decision ORDER BY 1')).rows).toEqual(before);
    await crew.stop();
    const items = await views(scene.database.pool).items(run?.id ?? '');
    expect(items.map((item) => item.state)).toEqual(Array(3).fill('classified'));
    expect(await audit(scene.database.pool)).toEqual([]);
  });
});

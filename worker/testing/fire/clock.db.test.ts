import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDue, views } from '../../../lib/work/testing/corpus.db.ts';
import { audit } from './books.db.ts';
import { type Crew, makeCrew } from './crew.db.ts';
import { until } from './gates.db.ts';
import { makeScene, type Scene } from './scene.db.ts';

const PRELOAD = pathToFileURL(path.join(import.meta.dirname, 'skewed-clock.mjs')).href;
const TEN_MINUTES_MS = 600_000;
const skewed = (skewMs: number) => ({ NODE_OPTIONS: `--import=${PRELOAD}`, FIRE_SKEW_MS: String(skewMs) });

let scene: Scene;
let crew: Crew;
beforeAll(async () => {
  scene = await makeScene();
  crew = makeCrew(scene, 2);
});
afterAll(async () => {
  crew.abandon();
  await scene.close();
});

describe('a lease lasts by the clock of the database, however wrong the clocks of the workers are', () => {
  test.each([
    ['slow', -TEN_MINUTES_MS, 'fast', TEN_MINUTES_MS],
    ['fast', TEN_MINUTES_MS, 'slow', -TEN_MINUTES_MS],
  ] as const)(
    'that of a %s worker (%d ms), also in the eyes of a %s one (%d ms)',
    async (_holder, holderMs, _other, otherMs) => {
      const { pool } = scene.database;
      const holder = await crew.hire(skewed(holderMs));
      const calls = scene.classifier.hold([holder.number]);
      const [kept] = await scene.start(['spam', 'fine'], { concurrency: 2 });
      const [taken] = await scene.start(['spam', 'fine'], { concurrency: 2 });
      if (!kept || !taken) throw new Error('no runs');
      await until('four calls', async () => calls.held().length === 4 || undefined);

      const leases = async () => {
        const { rows } = await pool.query<{ holder: string; left_ms: number }>(
          `SELECT lease_worker AS holder, extract(epoch FROM lease_until - clock_timestamp()) * 1000 AS left_ms
       FROM work_item WHERE run_id = $1 AND state = 'leased'`,
          [kept.id],
        );
        return rows.map(({ holder, left_ms }) => ({ holder, sound: left_ms > 0 && left_ms <= 60_000 }));
      };
      expect(await leases()).toEqual(Array(2).fill({ holder: holder.workerId, sound: true }));

      // One run's leases have really run out: taking them back shows that the other worker looked, with the kept ones before
      // it. The holder is frozen meanwhile, or it would take back its own.
      holder.process.signal('SIGSTOP');
      await pool.query(`UPDATE work_item SET lease_until = clock_timestamp() - interval '1 second' WHERE run_id = $1`, [
        taken.id,
      ]);
      await crew.hire(skewed(otherMs));
      await until('the end of the run that was taken over', async () => {
        await makeDue(pool);
        const items = await views(pool).items(taken.id);
        return items.every((item) => item.state === 'classified') || undefined;
      });
      expect(await leases()).toEqual(Array(2).fill({ holder: holder.workerId, sound: true }));

      holder.process.signal('SIGCONT');
      await calls.open();
      await scene.finish();
      await crew.stop();
      const outcomes = async (runId: string) => (await views(pool).lineage(runId)).map((row) => row.outcome);
      expect(await outcomes(kept.id)).toEqual(['ok', 'ok']);
      expect(await outcomes(taken.id)).toEqual(['lease_expired', 'ok', 'lease_expired', 'ok']);
      const { rows } = await pool.query(
        `SELECT 1 FROM attempt_outcome o, decision d
     WHERE abs(extract(epoch FROM o.at - clock_timestamp())) > 300 OR abs(extract(epoch FROM d.committed_at - clock_timestamp())) > 300`,
      );
      expect(rows).toEqual([]);
      expect(await audit(pool)).toEqual([]);
    },
  );
});

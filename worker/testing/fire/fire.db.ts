import { type Barrier, isWorkBarrier } from './barriers.ts';
import { audit, type Breach, type Tally, tally } from './books.db.ts';
import { makeCrew } from './crew.db.ts';
import { hitExports } from './export-hits.db.ts';
import { makeScene } from './scene.db.ts';
import { hitWorkers, poison } from './work-hits.db.ts';

export type FirePlan = {
  readonly barriers: readonly Barrier[];
  /** Kills at each barrier. */
  readonly hits: number;
  /** Worker processes side by side. */
  readonly workers: number;
};
export type FireReport = {
  readonly hits: ReadonlyMap<Barrier, number>;
  /** Workers that one poisonous text took with it. */
  readonly poisoned: number;
  readonly breaches: readonly Breach[];
  readonly tally: Tally;
};

/**
 * Kills workers and exports at the barriers, in a database of its own, then lets workers finish everything and audits.
 * @param say is told of each barrier as it is done.
 */
export async function fire({ barriers, hits, workers }: FirePlan, say: (line: string) => void): Promise<FireReport> {
  const scene = await makeScene();
  const crew = makeCrew(scene, workers);
  const counts = new Map<Barrier, number>();
  try {
    for (const barrier of barriers) {
      const onHit = (count: number): void => void counts.set(barrier, count);
      if (isWorkBarrier(barrier)) await hitWorkers(scene, crew, { barrier, hits, onHit });
      else await hitExports(scene, crew, { barrier, hits, onHit });
      say(`${barrier} ${counts.get(barrier) ?? 0}/${hits} hits, ${workers} workers`);
    }
    const poisoned = await poison(scene, crew);
    await scene.finish();
    say(`one poisonous text took ${poisoned} workers with it, and nobody after that`);
    await crew.stop();
    return {
      hits: counts,
      poisoned,
      breaches: await audit(scene.database.pool),
      tally: await tally(scene.database.pool),
    };
  } finally {
    crew.abandon();
    await scene.close();
  }
}

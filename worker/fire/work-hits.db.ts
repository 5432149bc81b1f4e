import { aftermathOf, type WorkBarrier } from './barriers.ts';
import { type Crew, expireLeasesOf, leftBy } from './crew.db.ts';
import { bury, closeGate, type Gate } from './gates.db.ts';
import { mixed, type Scene } from './scene.db.ts';

/** Texts that each round brings, so that every worker comes to the barrier again; two runs share them. */
const FEED_COUNT = 120;
const RUNS_COUNT = 2;
/** Kills that one item survives before it goes to a person. */
export const POISON_DEATHS = 4;

/**
 * Kills workers at a barrier of their work until there are `hits`, replacing the dead and bringing new work each time.
 * A hit counts once the process was seen standing at the barrier, was killed there, and left what it must leave.
 * @param onHit is told of the hits so far.
 */
export async function hitWorkers(
  scene: Scene,
  crew: Crew,
  { barrier, hits, onHit }: { readonly barrier: WorkBarrier; readonly hits: number; onHit(count: number): void },
): Promise<void> {
  for (let count = 0; count < hits; ) {
    await crew.fill();
    const gate = await stopAt(scene, crew, barrier);
    await scene.start(mixed(FEED_COUNT), { runs: RUNS_COUNT });
    const standing = await gate.standing();
    // Somebody stays, so that work is taken back while others are at work.
    const victims = standing.slice(0, Math.min(crew.size - 1, hits - count));
    const dead = await crew.kill(victims);
    await bury(scene.database.pool, gate, victims, aftermathOf(barrier, count));
    await proveHit(scene, barrier, dead);
    await expireLeasesOf(scene, dead);
    count += dead.length;
    onHit(count);
  }
}

function stopAt(scene: Scene, crew: Crew, barrier: WorkBarrier): Promise<Gate> | Gate {
  if (barrier === 'during_call') return scene.classifier.hold(crew.numbers());
  return closeGate(scene.database.pool, barrier, crew.numbers());
}

/** The dead must have left what is left at just this barrier. In a commit that was completed nothing need be left. */
async function proveHit(scene: Scene, barrier: WorkBarrier, dead: readonly string[]): Promise<void> {
  const { leased, started } = await leftBy(scene, dead);
  const proven = barrier === 'during_commit' || (barrier === 'after_lease' ? leased > started : started > 0);
  if (!proven) throw new Error(`killed at ${barrier}, but ${leased} were leased and ${started} started`);
}

/**
 * One text among others kills whichever worker calls it, at once, as often as it is called.
 * @returns how often it did.
 */
export async function poison(scene: Scene, crew: Crew): Promise<number> {
  const [run] = await scene.start([...mixed(20), 'poison', ...mixed(20)]);
  let deaths = 0;
  for (; deaths < POISON_DEATHS; deaths++) {
    await crew.fill();
    const gate = scene.classifier.hold('all', 'poison');
    const victims = await gate.standing();
    const dead = await crew.kill(victims);
    await bury(scene.database.pool, gate, victims, 'lost');
    await expireLeasesOf(scene, dead);
    await scene.database.pool.query(
      `UPDATE work_item SET next_attempt_at = NULL WHERE run_id = $1 AND state = 'pending'`,
      [run?.id],
    );
  }
  await crew.fill();
  return deaths;
}

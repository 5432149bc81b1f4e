import { setTimeout as pause } from 'node:timers/promises';
import { makeDue } from '../../../lib/work/testing/corpus.db.ts';
import { aftermathOf, type WorkBarrier } from './barriers.ts';
import { type Crew, expireLeasesOf, leftBy } from './crew.db.ts';
import { bury, closeGate, type Gate } from './gates.db.ts';
import { mixed, type Scene } from './scene.db.ts';

/** Texts that each round brings, so that every worker comes to the barrier again; two runs share them. */
const FEED_COUNT = 60;
const RUNS_COUNT = 2;
/** Kills that one item survives before it goes to a person. */
export const POISON_DEATHS = 4;
const DUE_MS = 100;

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
  // Kept back all the time: whoever is quick gets no answer between two deaths either.
  const calls = scene.classifier.hold('all', 'poison');
  await scene.start([...mixed(20), 'poison', ...mixed(20)]);
  let deaths = 0;
  for (; deaths < POISON_DEATHS; deaths++) {
    await crew.fill();
    const victims = await waitingFor(scene, () => calls.standing());
    const dead = await crew.kill(victims);
    const forget = async (): Promise<void> => calls.forget(victims);
    await bury(scene.database.pool, { ...calls, open: forget }, victims, 'lost');
    await expireLeasesOf(scene, dead);
  }
  await calls.open();
  await crew.fill();
  return deaths;
}

/** Lets the waits of retries pass for as long as something is waited for. */
async function waitingFor<T>(scene: Scene, body: () => Promise<T>): Promise<T> {
  let over = false;
  const due = (async () => {
    while (!over) {
      await makeDue(scene.database.pool);
      await pause(DUE_MS);
    }
  })();
  try {
    return await body();
  } finally {
    over = true;
    await due;
  }
}

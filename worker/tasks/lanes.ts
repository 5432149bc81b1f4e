import type { Classifier } from '../../lib/classifier/answer.ts';
import type { Installation } from '../../lib/db/installation.db.ts';
import type { Pool } from '../../lib/db/pool.db.ts';
import { findPolicy } from '../../lib/policy/versions.db.ts';
import type { Streak } from '../../lib/work/call-end.ts';
import { GRACE_MS, WORKER_ALIVE_MS } from '../../lib/work/limits.ts';
import { forgetPace, savePace } from '../../lib/work/pace.db.ts';
import { pauseRun } from '../../lib/work/run-control.db.ts';
import { findRun, type Run, runsWithWork } from '../../lib/work/runs.db.ts';
import type { FlushReport } from '../../lib/work/settle.db.ts';
import { closedSources, measuredBefore } from '../../lib/work/units.db.ts';
import { aliveWorkers, type Worker } from '../../lib/work/workers.db.ts';
import type { Log } from '../log.ts';
import { Lane } from './lane.ts';
import { type Solitude, solitude } from './solitude.ts';

/** Runs worked on at a time, oldest first. */
const LANES_MAX = 16;
/** How often new, paused and ended runs are noticed. */
const LOOK_MS = 500;

export type LanesJob = {
  readonly pool: Pool;
  readonly installation: Installation;
  /** Opens a classifier by the name a run gives. @throws where there is none: others may serve the run, or it pauses. */
  openClassifier(name: string): Classifier;
  readonly log: Log;
  /** Only this run is worked on. */
  readonly onlyRunId?: string;
  onFlush?(report: FlushReport): void;
  /** How long a run without a classifier here is left to others before it pauses; default WORKER_ALIVE_MS. */
  readonly unservedMs?: number;
  /** Shortens the breaker's waits, for tests. */
  readonly coolFactor?: number;
};

/** The runs this process works on, a lane each, side by side. */
export class Lanes {
  readonly #job: LanesJob;
  readonly #worker: () => Worker;
  readonly #lanes = new Map<string, Lane>();
  readonly #closing = new Map<string, Promise<void>>();
  readonly #classifiers = new Map<string, Classifier>();
  readonly #solitude: Solitude = solitude();
  readonly #unservedSince = new Map<string, number>();
  /** Upstream faults in a row, by run: a lane closes while all items wait, and must not forget them. */
  readonly #streaks = new Map<string, { current: Streak }>();
  /** The pace that was said last, by run. */
  readonly #shown = new Map<string, string>();

  constructor(job: LanesJob, worker: () => Worker) {
    this.#job = job;
    this.#worker = worker;
  }

  /**
   * Takes up runs that have work, and lets go of those that stopped running or have nothing more to lease: their calls
   * under way end by themselves. A lane that is closing holds its place until it is over.
   */
  async look(): Promise<number> {
    const due = await runsWithWork(this.#job.pool, LANES_MAX, this.#job.onlyRunId ?? null);
    const closed = await closedSources(this.#job.pool);
    for (const lane of this.#lanes.values()) {
      if (this.#closing.has(lane.run.id)) continue;
      const run = await findRun(this.#job.pool, lane.run.id);
      const over = lane.idle && !due.some((one) => one.id === lane.run.id);
      if (run?.state !== 'running') this.#streaks.delete(lane.run.id);
      if (lane.paused || over || run?.state !== 'running') void this.#close(lane);
      else {
        lane.update(run, closed);
        await this.#show(lane);
      }
    }
    for (const run of due) {
      if (this.#lanes.size < LANES_MAX && !this.#lanes.has(run.id)) await this.#open(run);
    }
    return LOOK_MS;
  }

  async renew(): Promise<void> {
    for (const lane of [...this.#lanes.values()]) await lane.renew();
  }

  /** Drains every lane: calls under way get GRACE_MS, the rest is given back. Closes the classifiers at last. */
  async drain(): Promise<void> {
    await Promise.all([...this.#lanes.values()].map((lane) => this.#close(lane, GRACE_MS)));
    await Promise.all([...this.#classifiers.values()].map((classifier) => classifier.close()));
  }

  /** Gives up all calls under way at once. */
  hurry(): void {
    for (const lane of this.#lanes.values()) lane.abortCalls();
  }

  #streakOf(runId: string): { current: Streak } {
    const known = this.#streaks.get(runId) ?? { current: { badUpstream: 0 } };
    this.#streaks.set(runId, known);
    return known;
  }

  async #open(run: Run): Promise<void> {
    const { pool, installation, log, onFlush = () => {} } = this.#job;
    const policy = await findPolicy(pool, run.policyVersion);
    const classifier = this.#classifier(run);
    if (!policy || !classifier) {
      await this.#unserved(run);
      return;
    }
    this.#unservedSince.delete(run.id);
    const measured = await measuredBefore(pool, { runId: run.id, policyVersion: run.policyVersion });
    const { secret } = installation;
    const lane = {
      pool,
      run,
      policy,
      classifier,
      measured,
      secret,
      worker: this.#worker,
      streak: this.#streakOf(run.id),
      solitude: this.#solitude,
      log,
      onFlush,
      coolFactor: this.#job.coolFactor,
    };
    this.#lanes.set(run.id, new Lane(lane));
    log.info('run_taken_up', { run: run.id });
  }

  /**
   * Another process may hold the classifiers file that this one lacks, and may be about to start: it is given the time
   * in which a worker counts as alive. A run that nobody serves then must say so, not wait in silence.
   */
  async #unserved(run: Run): Promise<void> {
    const { pool, log, unservedMs = WORKER_ALIVE_MS } = this.#job;
    const since = this.#unservedSince.get(run.id) ?? performance.now();
    this.#unservedSince.set(run.id, since);
    if (performance.now() - since < unservedMs || (await aliveWorkers(pool)).length > 1) return;
    await pauseRun(pool, { runId: run.id, reason: 'config_error', actor: 'system' });
    this.#unservedSince.delete(run.id);
    log.warn('run_paused', { run: run.id, reason: 'config_error' });
  }

  /** Says for screens how a lane paces itself, where that has changed. */
  async #show(lane: Lane): Promise<void> {
    const { atOnce, why } = lane.pace;
    const said = `${atOnce} ${why}`;
    if (this.#shown.get(lane.run.id) === said) return;
    this.#shown.set(lane.run.id, said);
    await savePace(this.#job.pool, { runId: lane.run.id, slot: this.#worker().slot, atOnce, why });
  }

  #close(lane: Lane, graceMs?: number): Promise<void> {
    if (graceMs !== undefined) lane.limit(graceMs);
    const { id } = lane.run;
    const closing =
      this.#closing.get(id) ??
      lane
        .stop()
        .catch((thrown: unknown) => this.#job.log.thrown('lane_stop_failed', thrown, { run: id }))
        .then(() => forgetPace(this.#job.pool, { runId: id, slot: this.#worker().slot }))
        .catch((thrown: unknown) => this.#job.log.thrown('pace_not_forgotten', thrown, { run: id }))
        .then(() => {
          this.#shown.delete(id);
          this.#lanes.delete(id);
          this.#closing.delete(id);
          this.#job.log.info('run_let_go', { run: id });
        });
    this.#closing.set(id, closing);
    return closing;
  }

  #classifier(run: Run): Classifier | null {
    const known = this.#classifiers.get(run.classifier);
    if (known) return known;
    try {
      const classifier = this.#job.openClassifier(run.classifier);
      this.#classifiers.set(run.classifier, classifier);
      return classifier;
    } catch (thrown) {
      // Asked again with every look: said once.
      if (!this.#unservedSince.has(run.id)) this.#job.log.thrown('classifier_missing', thrown, { run: run.id });
      return null;
    }
  }
}

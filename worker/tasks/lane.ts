import { setTimeout as sleep } from 'node:timers/promises';
import type { PolicyVersion } from '../../lib/policy/versions.db.ts';
import { followsItem } from '../../lib/work/blame.db.ts';
import { afterResult, endOfCall } from '../../lib/work/call-end.ts';
import { commitFlush, endRunIfDone } from '../../lib/work/commit.db.ts';
import type { HeldItem, ItemEnd, ItemResult } from '../../lib/work/item-end.ts';
import { type LeasedItem, renewLeases } from '../../lib/work/lease.db.ts';
import { CHUNK_PER_CONCURRENCY } from '../../lib/work/limits.ts';
import { pauseRun } from '../../lib/work/run-control.db.ts';
import type { Run } from '../../lib/work/runs.db.ts';
import type { FlushReport } from '../../lib/work/settle.db.ts';
import { loop } from '../loop.ts';
import { begin } from './begin.ts';
import { callItem, type Started } from './call-item.ts';
import { condition } from './condition.ts';
import { type Flusher, flusher } from './flusher.ts';
import type { LaneJob } from './lane-job.ts';
import { type Ration, ration } from './ration.ts';
import { IDLE_MS, type Supply, supply } from './supply.ts';
import { type Throttle, throttle } from './throttle.ts';

/** Wait before a run at its ceiling asks again whether calls that have ended left something. */
const CEILING_WAIT_MS = 100;
const RELEASED: ItemEnd = { kind: 'released' };

/**
 * One run in one worker: leases ahead, records attempts in chunks, keeps `run.concurrency` calls under way and hands
 * results to a flusher. No transaction is open during a call.
 */
export class Lane {
  #run: Run;
  readonly #job: LaneJob;
  readonly #flusher: Flusher;
  readonly #throttle: Throttle;
  readonly #supply: Supply;
  readonly #ration: Ration;
  /** Everything leased here whose end is not committed. */
  readonly #held = new Map<number, HeldItem>();
  /** Attempt recorded, call not begun. */
  #ready: Started[] = [];
  #calls = 0;
  #pausing: Promise<unknown> | null = null;
  #ending: Promise<unknown> | null = null;
  #limit: NodeJS.Timeout | undefined;
  readonly #stop = new AbortController();
  readonly #giveUp = new AbortController();
  readonly #changed = condition();
  readonly #loop: Promise<void>;

  constructor(job: LaneJob) {
    this.#run = job.run;
    this.#job = job;
    this.#ration = ration(job.policy, job.measured);
    this.#throttle = throttle(job.run.concurrency, {
      onChange: () => this.#resume(),
      onOpened: () => this.#releaseReady(),
      ...(job.coolFactor !== undefined && { coolFactor: job.coolFactor }),
    });
    const onError = (event: string) => (thrown: unknown) => job.log.thrown(event, thrown, { run: this.run.id });
    this.#supply = supply({
      pool: job.pool,
      runId: job.run.id,
      worker: job.worker,
      onLeased: (item) => this.#hold(item),
      onError: onError('lease_failed'),
    });
    this.#flusher = flusher({
      commit: (results) => commitFlush(job.pool, { ...this.#place(), results, goesOn: true }),
      onEnded: (results, report) => this.#onEnded(results, report),
      onError: onError('flush_failed'),
    });
    this.#loop = loop(() => this.#poll(), { signal: this.#stop.signal, onError: onError('lane_failed') });
  }

  /** The run was paused because of a result in this lane: it does nothing more and has to be stopped. */
  get paused(): boolean {
    return this.#pausing !== null;
  }

  get run(): Run {
    return this.#run;
  }

  /** Takes over what the operator changed while the run goes on: how many calls at once, and which sources are closed. */
  update(run: Run, closed: readonly string[]): void {
    this.#supply.skipping.setClosed(closed);
    if (run.concurrency !== this.#run.concurrency) this.#throttle.setBound(run.concurrency);
    this.#run = run;
  }

  /** How many calls at once it allows itself at present, and why. */
  get pace(): ReturnType<Throttle['shown']> {
    return this.#throttle.shown();
  }

  /** Nothing is held here. */
  get idle(): boolean {
    return this.#held.size === 0;
  }

  /** Renews every lease of this lane. What is not renewed was lost; its result will meet the fence. */
  async renew(): Promise<void> {
    await renewLeases(this.#job.pool, [...this.#held.values()]);
  }

  /**
   * Stops: nothing more is leased or called. Calls under way may end; then all that is left is given back, spending
   * nothing, and committed with the rest.
   */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#changed.notify();
    this.#releaseIdle();
    while (this.#calls > 0) await this.#changed.wait();
    await this.#loop;
    clearTimeout(this.#limit);
    this.#throttle.stop();
    await this.#supply.settled();
    await this.#pausing;
    this.#releaseIdle();
    await this.#flusher.drain();
    await this.#ending;
  }

  /** Calls under way are given up after `ms`. */
  limit(ms: number): void {
    this.#limit ??= setTimeout(() => this.#giveUp.abort(), ms);
  }

  /** Gives up the calls under way: they end as released. */
  abortCalls(): void {
    this.#giveUp.abort();
  }

  get #stopping(): boolean {
    return this.#stop.signal.aborted;
  }

  /** One step of work; returns how long to wait before the next. */
  async #poll(): Promise<number> {
    if (this.paused) return IDLE_MS;
    const waitMs = await this.#supply.look();
    if (waitMs !== null) return waitMs;
    await this.#flusher.room();
    while (this.#throttle.allowed() === 0 && !this.#stopping && !this.paused) await this.#changed.wait();
    const [first] = this.#supply.items;
    if (first?.alone) await this.#callAlone();
    else await this.#startChunk();
    return 0;
  }

  #place(): { runId: string; policy: PolicyVersion; slot: number } {
    return { runId: this.run.id, policy: this.#job.policy, slot: this.#job.worker().slot };
  }

  /** Everything leased is held until its end is committed. What is answered already goes straight to the flusher. */
  #hold(item: LeasedItem): boolean {
    this.#held.set(item.id, item);
    if (item.standing) this.#end(item, null, { kind: 'standing' });
    return item.standing;
  }

  /** How many attempts may be recorded now: none while enough are waiting for their call. */
  #room(): number {
    const atOnce = this.#throttle.allowed();
    // A probe is one call: the attempts of others are not recorded before it has been answered.
    if (atOnce === 1 && this.#throttle.shown().why === 'breaker_probe') return 1 - this.#calls - this.#ready.length;
    return this.#ready.length > atOnce ? 0 : atOnce * CHUNK_PER_CONCURRENCY - this.#ready.length;
  }

  async #startChunk(): Promise<void> {
    while (this.#room() <= 0 && !this.#stopping) await this.#changed.wait();
    const lonely = this.#supply.items.findIndex((item) => item.alone);
    const room = this.#room();
    const end = Math.min(room, lonely === -1 ? room : lonely);
    const chunk = this.#stopping ? [] : this.#supply.items.splice(0, Math.max(end, 0));
    if (chunk.length === 0) return;
    await this.#job.solitude.together(chunk.length);
    const started = await this.#start(chunk).catch((thrown) => {
      this.#job.solitude.ended(chunk.length);
      // Whether the attempts were recorded is unknown: giving back finds out.
      for (const item of chunk) this.#end(item, null, RELEASED);
      throw thrown;
    });
    this.#job.solitude.ended(chunk.length - started.length);
    this.#ready.push(...started);
    this.#callReady();
  }

  /** Records the attempts. Items that need no call, or may get none, end here. */
  async #start(chunk: readonly HeldItem[]): Promise<readonly Started[]> {
    const begun = await begin(this.#job.pool, { runId: this.run.id, chunk, units: this.#ration.units });
    for (const { item, end } of begun.ended) this.#end(item, null, end);
    for (const item of begun.capped) this.#supply.skipping.capped(item.source);
    this.#supply.items.unshift(...begun.waiting);
    if (begun.waiting.length > 0 && begun.started.length === 0) await this.#atCeiling(begun.stillReserved);
    return begun.started;
  }

  /** Nothing more fits under the ceiling now. What is set aside may come back when its calls have ended. */
  async #atCeiling(stillReserved: boolean): Promise<void> {
    if (!stillReserved) await this.#pause('ceiling');
    else if (!this.#stopping) await sleep(CEILING_WAIT_MS);
  }

  #callReady(): void {
    while (this.#calls < this.#throttle.allowed() && !this.#stopping && !this.#pausing) {
      const started = this.#ready.shift();
      if (!started) break;
      this.#calls++;
      void this.#call(started).finally(() => {
        this.#calls--;
        this.#callReady();
        this.#changed.notify();
      });
    }
  }

  async #call(started: Started): Promise<void> {
    const { classifier, policy, secret, log } = this.#job;
    const began = this.#throttle.begin();
    const result = await callItem(started, {
      classifier,
      policy,
      secret,
      signal: this.#giveUp.signal,
      onError: (thrown) => log.thrown('call_failed', thrown, { run: this.run.id }),
    });
    const { item, attempt, input } = started;
    if (this.#giveUp.signal.aborted && result.outcome !== 'ok') return this.#end(item, attempt, RELEASED);
    const after = afterResult(this.#job.streak.current, result.outcome);
    this.#job.streak.current = after.streak;
    const blame = { runId: item.runId, itemId: item.id, outcome: result.outcome };
    // Where it cannot be told the run pauses, as it does for a fault of the set-up.
    const isOwn = after.pause !== null && (await followsItem(this.#job.pool, blame).catch(() => false));
    const pause = isOwn ? null : after.pause;
    const gone = this.#throttle.ended(began, result);
    if (pause) await this.#pause(pause);
    else if (gone) await this.#pause('bad_upstream');
    // Named one by one: spreading both rows cost 10 µs a call, a twentieth of all the worker does.
    const { document, promptSha256, contractVersion } = policy;
    const { textSha256, inputSha256 } = input;
    const from = { document, promptSha256, contractVersion, textSha256, inputSha256, classifier: classifier.name };
    this.#end(item, attempt, endOfCall(result, from, pause !== null || gone, isOwn));
    await this.#flusher.room();
  }

  /** First the run, then the item: given back before, it would be leased and called again at once. */
  #pause(reason: NonNullable<ReturnType<typeof afterResult>['pause']>): Promise<unknown> {
    const { pool, log } = this.#job;
    this.#pausing ??= pauseRun(pool, { runId: this.run.id, reason, actor: 'system' })
      .then(() => log.warn('run_paused', { run: this.run.id, reason }))
      .catch((thrown: unknown) => log.thrown('pause_failed', thrown, { run: this.run.id }))
      .finally(() => {
        this.#job.streak.current = { badUpstream: 0 };
      });
    return this.#pausing;
  }

  /** An item that once died with its worker: called, and committed, with nothing else under way in this process. */
  async #callAlone(): Promise<void> {
    const over = await this.#job.solitude.alone();
    try {
      const item = this.#stopping ? undefined : this.#supply.items.shift();
      const [started] = item ? await this.#start([item]) : [];
      if (!item || !started) return;
      this.#calls++;
      await this.#call(started).finally(() => {
        this.#calls--;
        this.#changed.notify();
      });
      while (this.#held.has(item.id)) await this.#changed.wait();
    } finally {
      over();
    }
  }

  #end(item: HeldItem, attempt: number | null, end: ItemEnd): void {
    this.#flusher.add({ id: item.id, token: item.token, attempt, end, about: item });
  }

  #resume(): void {
    this.#callReady();
    this.#changed.notify();
  }

  /** The service is left alone for a while: what was about to be called goes back, spending nothing. */
  #releaseReady(): void {
    for (const { item, attempt } of this.#ready.splice(0)) this.#end(item, attempt, RELEASED);
  }

  #releaseIdle(): void {
    this.#releaseReady();
    for (const item of this.#supply.items.splice(0)) this.#end(item, null, RELEASED);
  }

  /** Nothing is held any more: perhaps the run is over. Where this fails a sweep finds it. */
  #endIfDone(): void {
    const { pool, log } = this.#job;
    const asked = endRunIfDone(pool, this.run.id).catch((thrown: unknown) =>
      log.thrown('run_not_ended', thrown, { run: this.run.id }),
    );
    this.#ending = Promise.all([this.#ending, asked]);
  }

  #onEnded(results: readonly ItemResult[], report: FlushReport | null): void {
    let together = 0;
    for (const result of results) {
      const item = this.#held.get(result.id);
      this.#held.delete(result.id);
      if (result.attempt !== null && !item?.alone) together++;
    }
    if (report) this.#ration.learn(results);
    this.#job.solitude.ended(together);
    this.#changed.notify();
    if (report) this.#job.onFlush(report);
    if (this.#held.size === 0) this.#endIfDone();
  }
}

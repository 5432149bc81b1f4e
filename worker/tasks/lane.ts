import { setTimeout as sleep } from 'node:timers/promises';
import type { Classifier } from '../../lib/classifier/answer.ts';
import type { Pool } from '../../lib/db/pool.db.ts';
import type { PolicyVersion } from '../../lib/policy/versions.db.ts';
import { afterResult, endOfCall, type Streak } from '../../lib/work/call-end.ts';
import { commitFlush, endRunIfDone } from '../../lib/work/commit.db.ts';
import type { HeldItem, ItemEnd, ItemResult } from '../../lib/work/item-end.ts';
import { leaseBatch, renewLeases } from '../../lib/work/lease.db.ts';
import { CHUNK_PER_CONCURRENCY, LEASE_BATCH_COUNT } from '../../lib/work/limits.ts';
import { type Measured, measure, reservation } from '../../lib/work/reserve.ts';
import { pauseRun } from '../../lib/work/run-control.db.ts';
import type { Run } from '../../lib/work/runs.db.ts';
import type { FlushReport } from '../../lib/work/settle.db.ts';
import type { Log } from '../log.ts';
import { loop } from '../loop.ts';
import { begin } from './begin.ts';
import { callItem, type Started } from './call-item.ts';
import { condition } from './condition.ts';
import { type Flusher, flusher } from './flusher.ts';
import { skipping } from './skipping.ts';
import type { Solitude } from './solitude.ts';
import { type Throttle, throttle } from './throttle.ts';

/** Wait before looking for items again where none were due. */
const IDLE_MS = 500;
/** Wait before a run at its ceiling asks again whether calls that have ended left something. */
const CEILING_WAIT_MS = 100;
const RELEASED: ItemEnd = { kind: 'released' };

export type LaneJob = {
  readonly pool: Pool;
  readonly run: Run;
  readonly policy: PolicyVersion;
  readonly classifier: Classifier;
  /** What answers of this run measured before; what is set aside for an attempt follows it. */
  readonly measured: Measured;
  /** Of the installation, for nonces. */
  readonly secret: string;
  /** The registration at this moment. */
  worker(): { readonly id: string; readonly slot: number };
  readonly solitude: Solitude;
  readonly log: Log;
  onFlush(report: FlushReport): void;
  /** Shortens the breaker's waits, for tests. */
  readonly coolFactor?: number | undefined;
};

/**
 * One run in one worker: leases ahead, records attempts in chunks, keeps `run.concurrency` calls under way and hands
 * results to a flusher. No transaction is open during a call.
 */
export class Lane {
  #run: Run;
  readonly #job: LaneJob;
  readonly #flusher: Flusher;
  readonly #throttle: Throttle;
  readonly #skipping = skipping();
  #measured: Measured;
  /** What a request carries besides content, until it is measured. */
  readonly #policyBytes: number;
  /** Everything leased here whose end is not committed. */
  readonly #held = new Map<number, HeldItem>();
  /** Leased, no attempt recorded. */
  #buffer: HeldItem[] = [];
  /** Attempt recorded, call not begun. */
  #ready: Started[] = [];
  #calls = 0;
  #streak: Streak = { badUpstream: 0 };
  #pausing: Promise<unknown> | null = null;
  #leasing: Promise<void> | null = null;
  #ending: Promise<unknown> | null = null;
  #dry = false;
  #limit: NodeJS.Timeout | undefined;
  readonly #stop = new AbortController();
  readonly #giveUp = new AbortController();
  readonly #changed = condition();
  readonly #loop: Promise<void>;

  constructor(job: LaneJob) {
    this.#run = job.run;
    this.#job = job;
    this.#measured = job.measured;
    // The built-in classifier is sent no instructions; a small ceiling must not be eaten up by bytes that never leave.
    const instructed = job.policy.adapter !== 'builtin';
    this.#policyBytes = instructed ? Buffer.byteLength(JSON.stringify(job.policy.document)) : 0;
    this.#throttle = throttle(job.run.concurrency, {
      onChange: () => this.#resume(),
      onOpened: () => this.#releaseReady(),
      ...(job.coolFactor !== undefined && { coolFactor: job.coolFactor }),
    });
    const onError = (event: string) => (thrown: unknown) => job.log.thrown(event, thrown, { run: this.run.id });
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
    this.#skipping.setClosed(closed);
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
    await this.#leasing;
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
    if (this.#buffer.length === 0 && this.#skipping.rests()) return IDLE_MS;
    if (this.#buffer.length < LEASE_BATCH_COUNT / 2 && !this.#dry) this.#leaseAhead();
    if (this.#buffer.length === 0) {
      await this.#leasing;
      if (this.#buffer.length > 0 || !this.#dry) return 0;
      this.#dry = false;
      return IDLE_MS;
    }
    await this.#flusher.room();
    while (this.#throttle.allowed() === 0 && !this.#stopping && !this.paused) await this.#changed.wait();
    const [first] = this.#buffer;
    if (first?.alone) await this.#callAlone();
    else await this.#startChunk();
    return 0;
  }

  #place(): { runId: string; policy: PolicyVersion; slot: number } {
    return { runId: this.run.id, policy: this.#job.policy, slot: this.#job.worker().slot };
  }

  /** Leases while calls go on, so that they never wait for it. */
  #leaseAhead(): void {
    this.#leasing ??= this.#lease()
      .catch((thrown: unknown) => {
        this.#dry = true;
        this.#job.log.thrown('lease_failed', thrown, { run: this.run.id });
      })
      .finally(() => {
        this.#leasing = null;
      });
  }

  /** Items that are answered already go straight to the flusher. */
  async #lease(): Promise<void> {
    const { pool, worker } = this.#job;
    const items = await leaseBatch(pool, { runId: this.run.id, workerId: worker().id, skip: this.#skipping.next() });
    this.#dry = this.#skipping.leased(items.at(-1)?.id ?? null, items.length === LEASE_BATCH_COUNT);
    for (const item of items) this.#held.set(item.id, item);
    for (const item of items) {
      if (item.standing) this.#end(item, null, { kind: 'standing' });
      else this.#buffer.push(item);
    }
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
    const lonely = this.#buffer.findIndex((item) => item.alone);
    const room = this.#room();
    const end = Math.min(room, lonely === -1 ? room : lonely);
    const chunk = this.#stopping ? [] : this.#buffer.splice(0, Math.max(end, 0));
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
    const units = (input: Started['input']) => this.#reservation(input);
    const begun = await begin(this.#job.pool, { runId: this.run.id, chunk, units });
    for (const { item, end } of begun.ended) this.#end(item, null, end);
    for (const item of begun.capped) this.#skipping.capped(item.source);
    this.#buffer.unshift(...begun.waiting);
    if (begun.waiting.length > 0 && begun.started.length === 0) await this.#atCeiling(begun.stillReserved);
    return begun.started;
  }

  #reservation({ text, title, authorName, parentText }: Started['input']): number {
    const input = { text, title, author_name: authorName, parent_text: parentText };
    return reservation(input, this.#measured, this.#policyBytes);
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
    const { streak, pause } = afterResult(this.#streak, result.outcome);
    this.#streak = streak;
    const gone = this.#throttle.ended(began, result);
    if (pause) await this.#pause(pause);
    else if (gone) await this.#pause('bad_upstream');
    // Named one by one: spreading both rows cost 10 µs a call, a twentieth of all the worker does.
    const { document, promptSha256, contractVersion } = policy;
    const { textSha256, inputSha256 } = input;
    const from = { document, promptSha256, contractVersion, textSha256, inputSha256, classifier: classifier.name };
    this.#end(item, attempt, endOfCall(result, from, pause !== null || gone));
    await this.#flusher.room();
  }

  /** First the run, then the item: given back before, it would be leased and called again at once. */
  #pause(reason: NonNullable<ReturnType<typeof afterResult>['pause']>): Promise<unknown> {
    const { pool, log } = this.#job;
    this.#pausing ??= pauseRun(pool, { runId: this.run.id, reason, actor: 'system' })
      .then(() => log.warn('run_paused', { run: this.run.id, reason }))
      .catch((thrown: unknown) => log.thrown('pause_failed', thrown, { run: this.run.id }))
      .finally(() => {
        this.#streak = { badUpstream: 0 };
      });
    return this.#pausing;
  }

  /** An item that once died with its worker: called, and committed, with nothing else under way in this process. */
  async #callAlone(): Promise<void> {
    const over = await this.#job.solitude.alone();
    try {
      const item = this.#stopping ? undefined : this.#buffer.shift();
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
    for (const item of this.#buffer.splice(0)) this.#end(item, null, RELEASED);
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
    if (report) this.#measured = measure(this.#measured, results);
    this.#job.solitude.ended(together);
    this.#changed.notify();
    if (report) this.#job.onFlush(report);
    if (this.#held.size === 0) this.#endIfDone();
  }
}

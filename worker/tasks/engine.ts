import { LEASE_RENEW_MS, WORKER_BEAT_MS } from '../../lib/work/limits.ts';
import { beat, registerWorker, stopWorker, type Worker } from '../../lib/work/workers.db.ts';
import { loop } from '../loop.ts';
import { Lanes, type LanesJob } from './lanes.ts';
import { runSweeps, type Sweep } from './sweeps.ts';

export type EngineJob = LanesJob & {
  /** Of this program. */
  readonly version: string;
  /** What else it looks after, given the present registration. */
  sweeps(worker: () => Worker): readonly Sweep[];
};

/** A worker that is registered and works when told to. */
export type Engine = {
  readonly slot: number;
  /** Works until the signal is aborted, then drains and signs off. Throws only where nothing could be begun. */
  run(signal: AbortSignal): Promise<void>;
  /** While draining: gives up the calls under way at once. */
  hurry(): void;
};

/** Registers this process as a worker. */
export async function startEngine(job: EngineJob): Promise<Engine> {
  const { pool, log } = job;
  const identity = { environment: job.installation.environment, version: job.version };
  let worker = await registerWorker(pool, identity);
  const lanes = new Lanes(job, () => worker);
  const onError = (event: string) => (thrown: unknown) => log.thrown(event, thrown);
  const sign = async (): Promise<number> => {
    // Silent so long that its slot was given away: it goes on under a new one.
    if (!(await beat(pool, worker.id))) worker = await registerWorker(pool, identity);
    return WORKER_BEAT_MS;
  };
  const renew = async (): Promise<number> => {
    await lanes.renew();
    return LEASE_RENEW_MS;
  };
  return {
    slot: worker.slot,
    hurry: () => lanes.hurry(),
    run: async (signal) => {
      // The sign of life and the leases go on while the lanes drain.
      const drained = new AbortController();
      const upkeep = [
        loop(sign, { signal: drained.signal, onError: onError('beat_failed') }),
        loop(renew, { signal: drained.signal, onError: onError('renewal_failed') }),
      ];
      const sweeping = runSweeps(
        job.sweeps(() => worker),
        { signal, log },
      );
      await loop(() => lanes.look(), { signal, onError: onError('look_failed') });
      log.info('draining');
      await lanes.drain();
      await sweeping;
      drained.abort();
      await Promise.all(upkeep);
      await stopWorker(pool, worker.id).catch(onError('stop_failed'));
    },
  };
}

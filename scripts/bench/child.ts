import { fork } from 'node:child_process';
import path from 'node:path';
import { ROOT } from '../paths.mjs';
import { postgresCpuMs } from './postgres-cpu.ts';

/** A contender runs in a process of its own: its memory, its garbage and its warming up are nobody else's. */

/** What a contender measured of itself. */
export type Measured = {
  readonly ms: number;
  /** Of this process; what it made PostgreSQL or the stub do is not in it. */
  readonly cpuMs: number;
  /** Of the whole PostgreSQL server meanwhile; null where it was not asked for or the system does not tell. */
  readonly postgresCpuMs: number | null;
  /** The most memory the process ever had. */
  readonly peakMb: number;
  /** What only this contender measures. */
  readonly more?: Readonly<Record<string, number | string>>;
};

/**
 * Runs a contender and waits for its end.
 * @param name a file in contenders/, without ending.
 * @param signal tells it to end before its time, where it understands that.
 * @throws where it ends without having measured anything.
 */
export async function runContender(name: string, options: object, signal?: AbortSignal): Promise<Measured> {
  const file = path.join(ROOT, 'scripts', 'bench', 'contenders', `${name}.ts`);
  const child = fork(file, [JSON.stringify(options)], {
    execArgv: ['--import', 'tsx'],
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    let measured: Measured | undefined;
    signal?.addEventListener('abort', () => child.connected && child.send('stop'));
    child.on('message', (message) => {
      measured = message as Measured;
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0 && measured) resolve(measured);
      else reject(new Error(`${name} ended with ${code} and without a figure`));
    });
  });
}

/** The body of a contender's file: gives it its options and sends what it measured. */
export async function contender<T>(run: (options: T) => Promise<Measured>): Promise<void> {
  // Whoever started it is gone, or has what it wanted: nothing of a benchmark may run on by itself.
  process.once('disconnect', () => process.exit());
  const measured = await run(JSON.parse(process.argv[2] ?? '{}') as T);
  await new Promise<void>((resolve, reject) => {
    process.send?.(measured, undefined, {}, (error) => (error ? reject(error) : resolve()));
  });
  process.disconnect?.();
}

/**
 * Starts a clock.
 * @param server the folder of the PostgreSQL server, where its CPU time is wanted too.
 * @returns what stops it.
 */
export function clock(server?: string): (more?: Measured['more']) => Measured {
  const postgresBefore = server === undefined ? null : postgresCpuMs(server);
  const started = performance.now();
  const before = process.cpuUsage();
  return (more) => {
    const ms = performance.now() - started;
    const used = process.cpuUsage(before);
    const postgres = server === undefined ? null : postgresCpuMs(server);
    return {
      ms,
      cpuMs: (used.user + used.system) / 1_000,
      postgresCpuMs: postgres === null || postgresBefore === null ? null : postgres - postgresBefore,
      peakMb: process.resourceUsage().maxRSS / 1_024,
      ...(more && { more }),
    };
  };
}

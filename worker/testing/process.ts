import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** A worker process of its own, as it runs in production. */
export type WorkerProcess = {
  /** Resolves at the first log line of this event, also where it came before. */
  said(event: string): Promise<Record<string, unknown>>;
  /** The events it has logged so far. */
  readonly events: string[];
  signal(name: NodeJS.Signals): void;
  /** Resolves to the exit code; null where a signal ended it. */
  readonly ended: Promise<number | null>;
};

/**
 * Starts `worker/main.ts`.
 * @param env is all it gets besides PATH.
 */
export function startWorker(env: Readonly<Record<string, string>>): WorkerProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', 'worker/main.ts'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, NODE_ENV: 'test', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: Record<string, unknown>[] = [];
  const events: string[] = [];
  const waiting: { event: string; resolve: (line: Record<string, unknown>) => void }[] = [];
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text) as Record<string, unknown>;
    lines.push(line);
    events.push(String(line.event));
    for (const one of waiting) if (one.event === line.event) one.resolve(line);
  });
  return {
    events,
    said: (event) =>
      new Promise((resolve) => {
        const before = lines.find((line) => line.event === event);
        if (before) resolve(before);
        else waiting.push({ event, resolve });
      }),
    signal: (name) => child.kill(name),
    ended: once(child, 'exit').then(([code]) => code as number | null),
  };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const ROOT = path.resolve(import.meta.dirname, '../..');

export type CliEnd = {
  /** Null where a signal ended it. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/**
 * For tests: starts the command line in a process of its own.
 * @param cwd the folder that the user stands in.
 */
export function startCli(
  url: string,
  words: readonly string[],
  cwd: string,
): { child: ChildProcess; end: Promise<CliEnd> } {
  const child = spawn(process.execPath, ['--import', 'tsx', 'worker/cli.ts', ...words], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', DATABASE_URL: url, DOCKET_CWD: cwd, NODE_ENV: 'test' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const end = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
    ([[exit], stdout, stderr]): CliEnd => ({ exit, stdout, stderr }),
  );
  return { child, end };
}

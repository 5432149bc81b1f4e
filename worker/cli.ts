import { text } from 'node:stream/consumers';
import { COMMANDS } from './commands.ts';
import { readEnv } from './env.ts';
import { runCommandLine } from './run-command.ts';
import { onStopSignals } from './stop-signals.ts';

/** Columns of a terminal that does not say. */
const COLUMNS = 80;

async function main(): Promise<number> {
  const read = readEnv(process.env);
  if (!read.ok) {
    process.stderr.write(`bad environment: ${read.problems.join('; ')}\n`);
    return 2;
  }
  const controller = new AbortController();
  onStopSignals(
    () => controller.abort(),
    () => process.exit(130),
  );
  return runCommandLine(process.argv.slice(2), {
    env: read.env,
    commands: COMMANDS,
    prepare: async (pool) => {
      const { publishShipped } = await import('../lib/policy/publish.db.ts');
      await publishShipped(pool, { ours: read.env.prepare });
    },
    stdout: (words) => process.stdout.write(words),
    stderr: (words) => process.stderr.write(words),
    columns: process.stderr.isTTY ? process.stderr.columns || COLUMNS : null,
    stdin: () => text(process.stdin),
    signal: controller.signal,
  });
}

// A reader that has gone away (`| head`) is no fault of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 2));

const exit = await main();
// Everything written must reach a pipe before the process ends.
process.stdout.write('', () => process.exit(exit));

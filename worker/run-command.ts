import { type ParseArgsConfig, parseArgs } from 'node:util';
import { openPool, type Pool } from '../lib/db/pool.db.ts';
import { sqlState } from '../lib/db/transact.db.ts';
import { CliError, type Command, type CommandContext, type CommandOutcome } from './command.ts';
import type { CommandEntry } from './commands.ts';
import type { WorkerEnv } from './env.ts';
import { commandHelp, helpText } from './help.ts';
import { fitted, printable, printableJson } from './terminal.ts';
import { DOCKET_VERSION } from './version.ts';

/** The outside of a command line, replaced in tests. */
export type CliIo = {
  readonly env: WorkerEnv;
  readonly commands: readonly CommandEntry[];
  /** Publishes the shipped policies where the database is ours to prepare, or holds no policy yet. */
  prepare(pool: Pool): Promise<void>;
  stdout(text: string): void;
  stderr(text: string): void;
  /** Width of the terminal that stderr is, or null where it is none. */
  readonly columns: number | null;
  stdin(): Promise<string>;
  readonly signal: AbortSignal;
};

/** Ended by a signal before it was done: what a shell expects of Ctrl-C. */
export const EXIT_INTERRUPTED = 130;

const COMMON_OPTIONS = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', 'ETIMEDOUT', 'ENOENT']);

/**
 * Runs one command line.
 * @param argv the words after the program's name.
 * @returns the exit code: 0 done, 1 the answer is no, 2 bad use or bad input, 130 interrupted.
 */
export async function runCommandLine(argv: readonly string[], io: CliIo): Promise<number> {
  const json = argv.includes('--json');
  try {
    const outcome = await dispatch(argv, io);
    if (io.columns !== null) io.stderr('\r\u001b[K');
    if (json) io.stdout(`${printableJson(outcome.json)}\n`);
    else for (const line of outcome.text) io.stdout(`${printable(line)}\n`);
    return outcome.exit;
  } catch (thrown) {
    if (io.columns !== null) io.stderr('\r\u001b[K');
    const interrupted = io.signal.aborted && !(thrown instanceof CliError);
    const error = interrupted ? new CliError('interrupted', 'interrupted before it was done') : inWords(thrown);
    if (json) io.stdout(`${printableJson({ error: { code: error.code, message: error.message } })}\n`);
    else for (const line of error.message.split('\n')) io.stderr(`${printable(line)}\n`);
    if (io.env.debug && thrown instanceof Error && !(thrown instanceof CliError)) io.stderr(`${thrown.stack}\n`);
    return interrupted ? EXIT_INTERRUPTED : 2;
  }
}

async function dispatch(argv: readonly string[], io: CliIo): Promise<CommandOutcome> {
  const [name, ...rest] = argv[0] === '--json' ? [...argv.slice(1), '--json'] : argv;
  if (name === '--version' || name === 'version') {
    return { exit: 0, json: { version: DOCKET_VERSION }, text: [DOCKET_VERSION] };
  }
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    const asked = rest.find((word) => !word.startsWith('-'));
    return asked === undefined ? helpOutcome(io.commands) : commandHelpOutcome(await find(asked, io.commands));
  }
  const command = await find(name, io.commands);
  const { values, positionals } = parse(command, rest);
  if (values.help === true) return commandHelpOutcome(command);
  return withPool(io, (pool) => runCommand(command, io, { values, positionals, pool }));
}

async function runCommand(
  command: Command,
  io: CliIo,
  given: { values: Record<string, unknown>; positionals: string[]; pool: () => Pool },
): Promise<CommandOutcome> {
  if (command.needsDatabase) await io.prepare(given.pool());
  const json = given.values.json === true;
  const context: CommandContext = {
    positionals: given.positionals,
    values: given.values,
    get pool() {
      return given.pool();
    },
    json,
    cwd: io.env.cwd,
    out: (line) => {
      if (!json) io.stdout(`${printable(line)}\n`);
    },
    progress: (line) => {
      if (io.columns !== null) io.stderr(`\r\u001b[K${fitted(printable(line), io.columns)}`);
    },
    stdin: io.stdin,
    signal: io.signal,
    env: io.env,
  };
  return command.run(context);
}

async function withPool<T>(io: CliIo, act: (pool: () => Pool) => Promise<T>): Promise<T> {
  let pool: Pool | undefined;
  try {
    return await act(() => {
      if (io.env.databaseUrl === undefined) {
        throw new CliError('no_database', 'DATABASE_URL is not set; `npm run docket` brings a database of its own');
      }
      pool ??= openPool(io.env.databaseUrl, { applicationName: 'docket cli' });
      return pool;
    });
  } finally {
    await pool?.end();
  }
}

async function find(name: string, commands: readonly CommandEntry[]): Promise<Command> {
  const entry = commands.find((one) => one.name === name);
  if (!entry) throw new CliError('unknown_command', `there is no command "${name}"; see \`npm run docket -- help\``);
  return entry.load();
}

function parse(command: Command, args: string[]): { values: Record<string, unknown>; positionals: string[] } {
  const options: NonNullable<ParseArgsConfig['options']> = { ...command.options, ...COMMON_OPTIONS };
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: true });
  } catch (thrown) {
    const why = thrown instanceof Error ? (thrown.message.split('. ', 1)[0] ?? '') : '';
    throw new CliError('bad_option', [`${why}.`, ...command.usage.map((form) => `usage: docket ${form}`)].join('\n'));
  }
}

async function helpOutcome(entries: readonly CommandEntry[]): Promise<CommandOutcome> {
  const commands = await Promise.all(entries.map((entry) => entry.load()));
  return {
    exit: 0,
    json: { commands: commands.map(({ name, summary, usage }) => ({ name, summary, usage })) },
    text: helpText(commands),
  };
}

function commandHelpOutcome(command: Command): CommandOutcome {
  const { name, summary, usage } = command;
  return { exit: 0, json: { name, summary, usage }, text: commandHelp(command) };
}

/** An error of ours keeps its words; any other is named by its kind only: its message may hold content. */
function inWords(thrown: unknown): CliError {
  if (thrown instanceof CliError) return thrown;
  const code = thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  if (UNREACHABLE.has(code)) return new CliError('database_unreachable', `the database does not answer (${code})`);
  const state = sqlState(thrown);
  const kind = state ? `PostgreSQL error ${state}` : thrown instanceof Error ? thrown.name : 'unknown';
  return new CliError('internal_error', `something went wrong inside Docket (${kind}); DOCKET_DEBUG=1 shows where`);
}

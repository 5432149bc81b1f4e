import type { ParseArgsConfig } from 'node:util';
import type { Pool } from '../lib/db/pool.db.ts';
import type { WorkerEnv } from './env.ts';

/** What a command answers: 0 done, 1 the answer is no, 2 bad use or bad input. */
export type ExitCode = 0 | 1 | 2;

export type CommandOutcome = {
  readonly exit: ExitCode;
  /** Printed last on stdout with --json. */
  readonly json: object;
  /** Printed on stdout without --json, a line each. */
  readonly text: readonly string[];
};

/** What a command gets from the frame. */
export type CommandContext = {
  /** The words after the command's own name: `snapshot list` is the command `snapshot` with `list` here. */
  readonly positionals: readonly string[];
  /** The options as `parseArgs` read them. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Opened at first use and closed by the frame. @throws CliError where no database address is known. */
  readonly pool: Pool;
  readonly json: boolean;
  /** The folder the user stands in; relative files and folders count from here. */
  readonly cwd: string;
  /** One line for people, on stdout at once; silent with --json. Control characters are shown, never sent. */
  out(line: string): void;
  /** A line that replaces itself on the terminal; silent where stderr is not one. */
  progress(line: string): void;
  /** All of stdin as text, for what must not stand in the arguments. */
  stdin(): Promise<string>;
  /** Aborted by Ctrl-C or SIGTERM. A second Ctrl-C ends the process at once. */
  readonly signal: AbortSignal;
  readonly env: WorkerEnv;
};

/** One word of the command line. */
export type Command = {
  readonly name: string;
  /** One line for `docket help`. */
  readonly summary: string;
  /** The forms it takes, without `docket`: `snapshot list`. */
  readonly usage: readonly string[];
  /** As for `parseArgs`; `json` and `help` are there for every command. */
  readonly options: NonNullable<ParseArgsConfig['options']>;
  readonly needsDatabase: boolean;
  run(context: CommandContext): Promise<CommandOutcome>;
};

/**
 * Ends a command with exit 2 and `{error: {code, message}}`. The message is for the user of the command and holds no
 * content, note, key or machine path that they did not give themselves.
 */
export class CliError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'CliError';
    this.code = code;
  }
}

/** @returns the option as text, undefined where it was not given. */
export function textOption(context: Pick<CommandContext, 'values'>, name: string): string | undefined {
  const value = context.values[name];
  return typeof value === 'string' ? value : undefined;
}

/** @returns true where the flag was given. */
export function flag(context: Pick<CommandContext, 'values'>, name: string): boolean {
  return context.values[name] === true;
}

/**
 * @returns the option as a whole number, undefined where it was not given.
 * @throws CliError `bad_option` where it is not a whole number within [min, max].
 */
export function numberOption(
  context: Pick<CommandContext, 'values'>,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  const text = textOption(context, name);
  if (text === undefined) return undefined;
  const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) {
    throw new CliError('bad_option', `--${name} takes a whole number from ${min} to ${max}`);
  }
  return value;
}

/**
 * @returns the option as one of `choices`, undefined where it was not given.
 * @throws CliError `bad_option` naming the choices.
 */
export function choiceOption<T extends string>(
  context: Pick<CommandContext, 'values'>,
  name: string,
  choices: readonly T[],
): T | undefined {
  const text = textOption(context, name);
  if (text === undefined) return undefined;
  const found = choices.find((choice) => choice === text);
  if (!found) throw new CliError('bad_option', `--${name} takes one of: ${choices.join(', ')}`);
  return found;
}

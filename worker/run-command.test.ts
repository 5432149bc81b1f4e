import { describe, expect, test } from 'vitest';
import { CliError, type Command, type CommandContext, type CommandOutcome, numberOption } from './command.ts';
import { COMMANDS } from './commands.ts';
import { readEnv } from './env.ts';
import { runCommandLine } from './run-command.ts';
import { DOCKET_VERSION } from './version.ts';

const DONE: CommandOutcome = { exit: 0, json: { done: true }, text: ['done'] };

function entry(run: (context: CommandContext) => Promise<CommandOutcome>, needsDatabase = false) {
  const command: Command = {
    name: 'try',
    summary: 'Try something',
    usage: ['try THING [--count N]'],
    options: { count: { type: 'string' } },
    needsDatabase,
    run,
  };
  return { name: 'try', load: async () => command };
}

async function cli(
  words: readonly string[],
  run: (context: CommandContext) => Promise<CommandOutcome> = async () => DONE,
  {
    variables = {},
    columns = null as number | null,
    signal = new AbortController().signal,
    needsDatabase = false,
  } = {},
) {
  const env = readEnv(variables);
  if (!env.ok) throw new Error('the test has a bad environment');
  const written = { stdout: '', stderr: '', prepared: 0 };
  const exit = await runCommandLine(words, {
    env: env.env,
    commands: [entry(run, needsDatabase)],
    prepare: async () => {
      written.prepared++;
    },
    stdout: (text) => {
      written.stdout += text;
    },
    stderr: (text) => {
      written.stderr += text;
    },
    columns,
    stdin: async () => 'secret\n',
    signal,
  });
  return { exit, ...written };
}

describe('a command line', () => {
  test('prints words for people, or one object last with --json', async () => {
    const run = async (context: CommandContext) => {
      context.out('on the way');
      return DONE;
    };
    expect(await cli(['try', 'x'], run)).toMatchObject({ exit: 0, stdout: 'on the way\ndone\n', stderr: '' });
    for (const words of [
      ['try', '--json', 'x'],
      ['--json', 'try'],
    ]) {
      expect(await cli(words, run)).toMatchObject({ exit: 0, stdout: '{"done":true}\n', stderr: '' });
    }
  });

  test.each([0, 1, 2] as const)('ends with the exit code %i of its command', async (exit) => {
    expect(await cli(['try'], async () => ({ ...DONE, exit }))).toMatchObject({ exit });
  });

  test.each([
    [['nope'], 'unknown_command'],
    [['try', '--colour'], 'bad_option'],
    [['try', '--count'], 'bad_option'],
    [['try', '--count', '1.5'], 'bad_option'],
    [['try', '--count', '11'], 'bad_option'],
  ])('%j is bad use: exit 2 and an error object', async (words, code) => {
    const run = async (context: CommandContext) => {
      numberOption(context, 'count', { min: 0, max: 10 });
      return DONE;
    };
    const json = await cli([...words, '--json'], run);
    expect(json.exit).toBe(2);
    expect(JSON.parse(json.stdout)).toEqual({ error: { code, message: expect.any(String) } });
    const text = await cli(words, run);
    expect(text).toMatchObject({ exit: 2, stdout: '' });
    expect(text.stderr).not.toBe('');
  });

  test('gets its words, options and stdin', async () => {
    await cli(['try', 'a', '--count', '3', 'b'], async (context) => {
      expect(context.positionals).toEqual(['a', 'b']);
      expect(numberOption(context, 'count', { min: 0, max: 10 })).toBe(3);
      expect(await context.stdin()).toBe('secret\n');
      return DONE;
    });
  });

  test('no control character of an id reaches the terminal, and the object still says the same', async () => {
    const id = 'a\u001b[31mred\u0007\u009b\u202e\n{"done":false}';
    const run = async (): Promise<CommandOutcome> => ({ exit: 0, json: { id }, text: [id] });
    const text = await cli(['try'], run);
    expect(text.stdout).toBe('a\\u001b[31mred\\u0007\\u009b\\u202e\\u000a{"done":false}\n');
    const json = await cli(['try', '--json'], run);
    expect(JSON.parse(json.stdout)).toEqual({ id });
    expect(json.stdout).toMatch(/^[\u0020-\u007e]*\n$/);
  });

  test('an error of ours is told in its words, any other by its kind only', async () => {
    const ours = await cli(['try', '--json'], async () =>
      Promise.reject(new CliError('no_such_run', 'there is no run x')),
    );
    expect(JSON.parse(ours.stdout)).toEqual({ error: { code: 'no_such_run', message: 'there is no run x' } });
    const bug = await cli(['try', '--json'], async () => Promise.reject(new TypeError('what a stranger wrote')));
    expect(bug.exit).toBe(2);
    expect(JSON.parse(bug.stdout).error.code).toBe('internal_error');
    expect(bug.stdout + bug.stderr).not.toContain('stranger');
  });

  test('a command that a signal stopped ends like one', async () => {
    const stop = new AbortController();
    const run = async (context: CommandContext) => {
      stop.abort();
      context.signal.throwIfAborted();
      return DONE;
    };
    const ended = await cli(['try', '--json'], run, { signal: stop.signal });
    expect(ended.exit).toBe(130);
    expect(JSON.parse(ended.stdout).error.code).toBe('interrupted');
  });

  test('progress replaces itself on a terminal and is silent elsewhere', async () => {
    const run = async (context: CommandContext) => {
      context.progress('a long line about what is going on');
      return DONE;
    };
    expect((await cli(['try'], run)).stderr).toBe('');
    expect((await cli(['try'], run, { columns: 12 })).stderr).toBe('\r\u001b[Ka long lin…\r\u001b[K');
  });

  test('a database is asked for only by a command that uses one, and prepared by no other', async () => {
    const use = async (context: CommandContext) => {
      void context.pool;
      return DONE;
    };
    expect(JSON.parse((await cli(['try', '--json'], use)).stdout).error.code).toBe('no_database');
    const variables = { DATABASE_URL: 'postgresql://127.0.0.1:1/none', DOCKET_PREPARE: '1' };
    expect(await cli(['try'], use, { variables, needsDatabase: true })).toMatchObject({ exit: 0, prepared: 1 });
    expect(await cli(['try'], use, { variables })).toMatchObject({ prepared: 0 });
    expect(await cli(['try', '--help'], use, { variables, needsDatabase: true })).toMatchObject({ prepared: 0 });
  });
});

describe('help', () => {
  test.each([[[]], [['help']], [['--help']], [['-h']]])('%j lists the commands', async (words) => {
    expect((await cli(words)).stdout).toContain('  try  Try something\n');
  });

  test.each([[['help', 'try']], [['try', '--help']]])('%j shows how a command is used', async (words) => {
    expect((await cli(words)).stdout).toContain('try THING [--count N]');
  });

  test('the version is told', async () => {
    expect(await cli(['--version'])).toMatchObject({ exit: 0, stdout: `${DOCKET_VERSION}\n` });
  });

  test('every command is built, named as it is called, and says how it is used', async () => {
    for (const { name, load } of COMMANDS) {
      const command = await load();
      expect(command.name).toBe(name);
      expect(command.summary).not.toBe('');
      expect(command.usage.every((form) => form.split(' ')[0] === name)).toBe(true);
    }
    expect(new Set(COMMANDS.map(({ name }) => name)).size).toBe(COMMANDS.length);
  });
});

describe('the environment', () => {
  test('what is wrong is named without its value', () => {
    expect(readEnv({ DATABASE_URL: 'mysql://user:secret@host' })).toEqual({
      ok: false,
      problems: ['DATABASE_URL must be a postgresql:// address'],
    });
  });

  test('an empty variable is one that was not set', () => {
    expect(readEnv({ DATABASE_URL: '', DOCKET_ENVIRONMENT: '' })).toMatchObject({
      ok: true,
      env: { databaseUrl: undefined, environment: undefined },
    });
  });
});

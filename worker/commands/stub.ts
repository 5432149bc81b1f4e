import { loadTagModel } from '../../lib/classifier/builtin/tags.fs.ts';
import { loadBuiltinModel } from '../../lib/classifier/builtin/weights.fs.ts';
import { classifiersFor } from '../../lib/classifier/stub/classifiers-file.ts';
import { FAULT_NAMES, type Misbehaviour, readMisbehaviour } from '../../lib/classifier/stub/faults.ts';
import { type Stub, startStub } from '../../lib/classifier/stub/server.http.ts';
import { CliError, type Command, type CommandContext, flag, numberOption, textOption } from '../command.ts';

const PORT_DEFAULT = 4010;
const HOST_DEFAULT = '127.0.0.1';
const SEED_MAX = 2 ** 31;
const DELAY_MAX_MS = 60_000;

export const command: Command = {
  name: 'stub',
  summary: 'A classifier service to rehearse with: every format on one port, and faults on purpose',
  usage: [
    'stub [--port N] [--host ADDRESS] [--delay MS] [--misbehave SPEC] [--seed N] [--obey]',
    'stub --print-classifiers [--port N] [--host ADDRESS]',
  ],
  options: {
    port: { type: 'string' },
    host: { type: 'string' },
    delay: { type: 'string' },
    misbehave: { type: 'string' },
    seed: { type: 'string' },
    obey: { type: 'boolean' },
    'print-classifiers': { type: 'boolean' },
  },
  needsDatabase: false,
  run: async (context) => {
    if (context.positionals.length > 0) throw new CliError('bad_usage', `use: ${command.usage[0]}`);
    const port = numberOption(context, 'port', { min: 0, max: 65_535 }) ?? PORT_DEFAULT;
    const host = textOption(context, 'host') ?? HOST_DEFAULT;
    if (flag(context, 'print-classifiers')) {
      const file = classifiersFor(`http://${host.includes(':') ? `[${host}]` : host}:${port}`);
      return { exit: 0, json: file, text: JSON.stringify(file, null, 2).split('\n') };
    }
    const stub = await open(context, port, host);
    context.out(`the stub listens at ${stub.origin}; GET / says what it speaks, Ctrl-C ends it`);
    await ended(context.signal);
    await stub.close();
    const { requests, answered, byFault } = stub.counts;
    const faults = Object.entries(byFault).map(([fault, count]) => `${fault}: ${count}`);
    return {
      exit: 0,
      json: { address: stub.origin, requests, answered, by_fault: byFault },
      text: [`${requests} requests, ${answered} of them answered as they should be`, ...faults],
    };
  },
};

async function open(context: CommandContext, port: number, host: string): Promise<Stub> {
  const options = {
    port,
    host,
    seed: numberOption(context, 'seed', { min: 0, max: SEED_MAX }) ?? 0,
    delayMs: numberOption(context, 'delay', { min: 0, max: DELAY_MAX_MS }) ?? 0,
    obey: flag(context, 'obey'),
    misbehaviour: misbehaviourOf(textOption(context, 'misbehave') ?? ''),
    brain: { score: loadBuiltinModel().score, tag: loadTagModel().tag },
  };
  try {
    return await startStub(options);
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
    if (code === 'EADDRINUSE')
      throw new CliError('address_in_use', `port ${port} is taken; choose another with --port`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new CliError('bad_option', '--host is no address of this machine');
    if (code === 'EACCES') throw new CliError('bad_option', `port ${port} is not for everybody; choose one above 1023`);
    throw thrown;
  }
}

const REFUSALS = {
  unknown_fault: `--misbehave knows: ${FAULT_NAMES.join(' ')}`,
  bad_share: '--misbehave takes FAULT=SHARE with a share from 0 to 1',
  named_twice: '--misbehave names a fault twice',
  more_than_all: 'the shares in --misbehave come to more than 1',
} as const;

function misbehaviourOf(text: string): Misbehaviour {
  const read = readMisbehaviour(text);
  if (!read.ok) throw new CliError('bad_option', REFUSALS[read.refusal]);
  return read.value;
}

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

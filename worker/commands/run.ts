import type { Classifier } from '../../lib/classifier/answer.ts';
import { BUILTIN_NAME } from '../../lib/classifier/config.ts';
import { findPolicy } from '../../lib/policy/versions.db.ts';
import { CONCURRENCY_BOUNDS } from '../../lib/work/limits.ts';
import { cancelRun, pauseRun, resumeRun } from '../../lib/work/run-control.db.ts';
import { RUN_MODES } from '../../lib/work/run-state.ts';
import { type StartRefusal, startRun } from '../../lib/work/start-run.db.ts';
import { openClassifier, operatorClassifiers } from '../classifiers.ts';
import {
  CliError,
  type Command,
  type CommandContext,
  type CommandOutcome,
  choiceOption,
  flag,
  numberOption,
  textOption,
} from '../command.ts';
import { requireRun, summaryOf } from '../find-run.ts';
import { runText } from '../run-text.ts';
import { waitForRun } from '../wait-for-run.ts';

export const command: Command = {
  name: 'run',
  summary: 'Start a run over a snapshot, look at it, pause, resume or cancel it',
  usage: [
    'run start --snapshot S --policy SLUG@N [--name NAME] [--mode record|hold] [--classifier NAME] [--concurrency N] [--not-before T] [--wait]',
    'run status|pause|resume|cancel RUN',
  ],
  options: {
    snapshot: { type: 'string' },
    policy: { type: 'string' },
    name: { type: 'string' },
    mode: { type: 'string' },
    classifier: { type: 'string' },
    concurrency: { type: 'string' },
    'not-before': { type: 'string' },
    wait: { type: 'boolean' },
  },
  needsDatabase: true,
  run: async (context) => {
    const [verb, nameOrId, ...more] = context.positionals;
    if (verb === 'start' && nameOrId === undefined) return start(context);
    if (nameOrId === undefined || more.length > 0) throw usage();
    if (verb === 'status') return outcome(context, (await requireRun(context.pool, nameOrId)).id, 0);
    if (verb === 'pause' || verb === 'resume' || verb === 'cancel') return control(context, verb, nameOrId);
    throw usage();
  },
};

function usage(): CliError {
  return new CliError('bad_usage', command.usage.map((form) => `use: ${form}`).join('\n'));
}

async function outcome(
  context: CommandContext,
  runId: string,
  exit: 0 | 1,
  more: object = {},
): Promise<CommandOutcome> {
  const summary = await summaryOf(context.pool, runId);
  return { exit, json: { ...summary, ...more }, text: runText(summary) };
}

async function control(
  context: CommandContext,
  verb: 'pause' | 'resume' | 'cancel',
  nameOrId: string,
): Promise<CommandOutcome> {
  const { pool } = context;
  const { id: runId } = await requireRun(pool, nameOrId);
  const by = { runId, actor: 'cli' } as const;
  const acts = {
    pause: () => pauseRun(pool, { ...by, reason: 'operator' }),
    resume: () => resumeRun(pool, by),
    cancel: () => cancelRun(pool, by),
  };
  const done = await acts[verb]();
  if (done.ok) return outcome(context, runId, 0);
  const no = await outcome(context, runId, 1, { refused: done.refusal });
  return { ...no, text: [`not done: the run cannot ${verb} in its present state`, ...no.text] };
}

async function start(context: CommandContext): Promise<CommandOutcome> {
  const snapshot = required(context, 'snapshot');
  const policyVersion = required(context, 'policy');
  const mode = choiceOption(context, 'mode', RUN_MODES) ?? 'record';
  const concurrency = numberOption(context, 'concurrency', CONCURRENCY_BOUNDS);
  const notBefore = instantOption(context, 'not-before');
  const classifier = await chooseClassifier(context, policyVersion);
  await classifier.close();
  const started = await startRun(context.pool, {
    snapshot,
    policyVersion,
    name: textOption(context, 'name'),
    mode,
    classifier,
    concurrency: concurrency ?? classifier.concurrency,
    notBefore,
    actor: 'cli',
  });
  if (!started.ok) throw new CliError(started.refusal, inWords(started.refusal, started.detail));
  const { run, started: isNew, governingSet } = started.value;
  const more = { started: isNew, governing_set: governingSet };
  for (const source of governingSet) context.out(`${policyVersion} now governs ${source}`);
  if (!isNew) context.out(`a run named ${run.name} was there already`);
  if (!flag(context, 'wait')) return outcome(context, run.id, 0, more);
  const ended = await waitForRun(context, run.id);
  return outcome(context, run.id, ended.state === 'complete' ? 0 : 1, more);
}

function required(context: CommandContext, name: string): string {
  const value = textOption(context, name);
  if (value === undefined || value === '') throw new CliError('bad_usage', `run start needs --${name}`);
  return value;
}

/** An instant with its zone; a time without one would mean something else on every machine. */
function instantOption(context: CommandContext, name: string): Date | null {
  const text = textOption(context, name);
  if (text === undefined) return null;
  const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;
  const at = form.test(text) ? new Date(text) : null;
  if (!at || Number.isNaN(at.getTime())) {
    throw new CliError('bad_option', `--${name} takes an instant with its zone, as 2026-12-01T02:00:00Z`);
  }
  return at;
}

/** The classifier that was named, or the first that serves what the policy pins. */
async function chooseClassifier(context: CommandContext, policyVersion: string): Promise<Classifier> {
  const entries = await operatorClassifiers(context.env);
  const named = textOption(context, 'classifier');
  if (named !== undefined) return openClassifier(named, entries, context.env);
  const policy = await findPolicy(context.pool, policyVersion);
  if (!policy) throw new CliError('unknown_policy', inWords('unknown_policy'));
  const serving = entries.find((entry) => entry.adapter === policy.adapter && entry.model === policy.model);
  return openClassifier(serving?.name ?? BUILTIN_NAME, entries, context.env);
}

function inWords(refusal: StartRefusal, detail?: Readonly<Record<string, unknown>>): string {
  switch (refusal) {
    case 'unknown_snapshot':
      return 'there is no snapshot of this name or id; see `docket snapshot list`';
    case 'unknown_policy':
      return 'there is no such policy version; see `docket policy list`';
    case 'mode_not_built':
      return 'enforce mode is not built yet; record and hold are';
    case 'bad_name':
      return 'a run is named with 1 to 200 bytes, without control characters, and not like an id';
    case 'name_taken':
      return 'a run of this name over something else, or a cancelled one, is there already';
    case 'classifier_mismatch':
      return `the policy pins adapter ${detail?.needs_adapter} with model ${detail?.needs_model}, and no classifier here that was asked for serves it`;
    case 'not_governing':
      return `another policy version governs ${detail?.sources} of the snapshot's ${detail?.of} sources; nothing was started`;
  }
}

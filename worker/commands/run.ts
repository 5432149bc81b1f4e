import { BUILTIN_NAME, type ClassifierEntry } from '../../lib/classifier/config.ts';
import { findPolicy } from '../../lib/policy/versions.db.ts';
import { CANARY_BOUNDS } from '../../lib/work/canary.ts';
import { CONCURRENCY_BOUNDS } from '../../lib/work/limits.ts';
import { RUN_MODES } from '../../lib/work/run-state.ts';
import { type StartRefusal, type StartRun, startRun } from '../../lib/work/start-run.db.ts';
import { openClassifier, operatorClassifiers } from '../classifiers.ts';
import {
  CliError,
  type Command,
  type CommandContext,
  type CommandOutcome,
  choiceOption,
  numberOption,
  textOption,
} from '../command.ts';
import { requireRun } from '../find-run.ts';
import { ceilingOption, controlRun, RUN_VERBS, runOutcome, setRunConcurrency, waited } from '../run-acts.ts';

export const command: Command = {
  name: 'run',
  summary: 'Start a run over a snapshot, look at it, give it the go, pause, resume or cancel it',
  usage: [
    'run start --snapshot S --policy SLUG@N [--name NAME] [--mode record|hold] [--classifier NAME] [--concurrency N] [--canary N] [--ceiling UNITS] [--not-before T] [--wait]',
    'run status|pause|cancel RUN',
    'run go RUN [--ceiling UNITS] [--accept-pause] [--wait]',
    'run resume RUN [--ceiling UNITS] [--wait]',
    'run concurrency RUN N [--yes]',
  ],
  options: {
    snapshot: { type: 'string' },
    policy: { type: 'string' },
    name: { type: 'string' },
    mode: { type: 'string' },
    classifier: { type: 'string' },
    concurrency: { type: 'string' },
    canary: { type: 'string' },
    ceiling: { type: 'string' },
    'accept-pause': { type: 'boolean' },
    'not-before': { type: 'string' },
    wait: { type: 'boolean' },
    yes: { type: 'boolean' },
  },
  needsDatabase: true,
  run: async (context) => {
    const [verb, nameOrId, ...more] = context.positionals;
    if (verb === 'start' && nameOrId === undefined) return start(context);
    if (nameOrId === undefined) throw usage();
    const [bound, ...rest] = more;
    if (verb === 'concurrency' && bound !== undefined && rest.length === 0) {
      return setRunConcurrency(context, nameOrId, bound);
    }
    if (more.length > 0) throw usage();
    if (verb === 'status') return runOutcome(context, (await requireRun(context.pool, nameOrId)).id, 0);
    const control = RUN_VERBS.find((one) => one === verb);
    if (control !== undefined) return controlRun(context, control, nameOrId);
    throw usage();
  },
};

function usage(): CliError {
  return new CliError('bad_usage', command.usage.map((form) => `use: ${form}`).join('\n'));
}

async function start(context: CommandContext): Promise<CommandOutcome> {
  const snapshot = required(context, 'snapshot');
  const policyVersion = required(context, 'policy');
  const mode = choiceOption(context, 'mode', RUN_MODES) ?? 'record';
  const concurrency = numberOption(context, 'concurrency', CONCURRENCY_BOUNDS);
  const notBefore = instantOption(context, 'not-before');
  const canary = numberOption(context, 'canary', CANARY_BOUNDS);
  const ceilingUnits = ceilingOption(context);
  const classifier = await chooseClassifier(context, policyVersion);
  const started = await startRun(context.pool, {
    snapshot,
    policyVersion,
    name: textOption(context, 'name'),
    mode,
    classifier,
    concurrency: concurrency ?? classifier.concurrency,
    notBefore,
    canary,
    ceilingUnits,
    actor: 'cli',
  });
  if (!started.ok) throw new CliError(started.refusal, inWords(started.refusal, started.detail));
  const { run, started: isNew, governingSet } = started.value;
  const more = { started: isNew, governing_set: governingSet };
  for (const source of governingSet) context.out(`${policyVersion} now governs ${source}`);
  if (!isNew) context.out(`a run named ${run.name} was there already`);
  return waited(context, run.id, more);
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

/** The classifier that was named, or the first that serves what the policy pins: what is known of it without a call. */
async function chooseClassifier(
  context: CommandContext,
  policyVersion: string,
): Promise<StartRun['classifier'] & { readonly concurrency: number }> {
  const entries = await operatorClassifiers(context.env);
  const name = textOption(context, 'classifier') ?? (await serving(context, policyVersion, entries));
  const opened = openClassifier(name, entries, context.env);
  await opened.close();
  const pricePerMillionUnits = entries.find((entry) => entry.name === name)?.price_per_million_units;
  const { adapter, models, concurrency } = opened;
  return { name, adapter, models, concurrency, pricePerMillionUnits };
}

async function serving(
  context: CommandContext,
  policyVersion: string,
  entries: readonly ClassifierEntry[],
): Promise<string> {
  const policy = await findPolicy(context.pool, policyVersion);
  if (!policy) throw new CliError('unknown_policy', inWords('unknown_policy'));
  const found = entries.find((entry) => entry.adapter === policy.adapter && entry.model === policy.model);
  return found?.name ?? BUILTIN_NAME;
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
    case 'settings_differ':
      return 'a run of this name is there already, with another ceiling or canary; see `docket run status`';
    case 'classifier_mismatch':
      return `the policy pins adapter ${detail?.needs_adapter} with model ${detail?.needs_model}, and no classifier here that was asked for serves it`;
    case 'not_governing':
      return `another policy version governs ${detail?.sources} of the snapshot's ${detail?.of} sources; nothing was started`;
  }
}

import { UNITS_BOUNDS } from '../lib/work/budget.db.ts';
import { goRun } from '../lib/work/go.db.ts';
import { CONCURRENCY_BOUNDS } from '../lib/work/limits.ts';
import { readPace } from '../lib/work/pace.db.ts';
import { cancelRun, pauseRun, resumeRun, setConcurrency } from '../lib/work/run-control.db.ts';
import { runSignals } from '../lib/work/signals.db.ts';
import { CliError, type CommandContext, type CommandOutcome, flag, numberOption } from './command.ts';
import { requireRun, summaryOf } from './find-run.ts';
import { runText } from './run-text.ts';
import { signalsJson, signalsText } from './signals-text.ts';
import { waitForRun } from './wait-for-run.ts';

/** What `docket run` does to a run that is there. */
export const RUN_VERBS = ['pause', 'resume', 'go', 'cancel'] as const;
export type RunVerb = (typeof RUN_VERBS)[number];

/** @returns the run's object and its lines for people. */
export async function runOutcome(
  { pool }: Pick<CommandContext, 'pool'>,
  runId: string,
  exit: 0 | 1,
  more: object = {},
): Promise<CommandOutcome> {
  const summary = await summaryOf(pool, runId);
  return { exit, json: { ...summary, ...more }, text: runText(summary) };
}

/** Waits where --wait was given. @returns the run's object; exit 0 only where it is complete then. */
export async function waited(context: CommandContext, runId: string, more: object = {}): Promise<CommandOutcome> {
  if (!flag(context, 'wait')) return runOutcome(context, runId, 0, more);
  const ended = await waitForRun(context, runId);
  return runOutcome(context, runId, ended.state === 'complete' ? 0 : 1, more);
}

/** @returns the ceiling that was asked for, undefined where none was. */
export function ceilingOption(context: CommandContext): number | undefined {
  return numberOption(context, 'ceiling', UNITS_BOUNDS);
}

/** Pauses, resumes, gives the go or cancels; a refusal is exit 1 with what is so. */
export async function controlRun(context: CommandContext, verb: RunVerb, nameOrId: string): Promise<CommandOutcome> {
  const { pool } = context;
  const { id: runId } = await requireRun(pool, nameOrId);
  const by = { runId, actor: 'cli' } as const;
  const ceilingUnits = ceilingOption(context);
  if (ceilingUnits !== undefined && verb !== 'go' && verb !== 'resume') {
    throw new CliError('bad_usage', `run ${verb} takes no --ceiling`);
  }
  const acts = {
    pause: () => pauseRun(pool, { ...by, reason: 'operator' }),
    resume: () => resumeRun(pool, { ...by, ceilingUnits }),
    go: () => goRun(pool, { ...by, ceilingUnits, acceptPause: flag(context, 'accept-pause') }),
    cancel: () => cancelRun(pool, by),
  };
  const done = await acts[verb]();
  if (done.ok) return verb === 'go' || verb === 'resume' ? waited(context, runId) : runOutcome(context, runId, 0);
  const no = await runOutcome(context, runId, 1, { refused: done.refusal });
  return { ...no, text: [`not done: ${refusedWords(verb, done.refusal, done.detail)}`, ...no.text] };
}

function refusedWords(verb: RunVerb, refusal: string, detail: Readonly<Record<string, unknown>> = {}): string {
  switch (refusal) {
    case 'at_ceiling':
      return `the run has used ${detail.used} of the ${detail.ceiling} units it may use; give it more with --ceiling UNITS`;
    case 'ceiling_below_projection':
      return `the ceiling of ${detail.ceiling} units lies below the upper end of the projection, ${detail.high}: the run would probably pause at it. Give a higher --ceiling, or say --accept-pause`;
    default:
      return `the run cannot ${verb} in its present state`;
  }
}

/**
 * Sets how many calls at a time a worker may make. Raising it first shows how the service bears the present pace, and
 * needs --yes; lowering does not.
 */
export async function setRunConcurrency(
  context: CommandContext,
  nameOrId: string,
  asked: string,
): Promise<CommandOutcome> {
  const { pool } = context;
  const run = await requireRun(pool, nameOrId);
  const { min, max } = CONCURRENCY_BOUNDS;
  const concurrency = /^[0-9]{1,4}$/.test(asked) ? Number(asked) : Number.NaN;
  if (!(concurrency >= min && concurrency <= max)) {
    throw new CliError('bad_option', `run concurrency takes a whole number from ${min} to ${max}`);
  }
  const signals = await runSignals(pool, run.id);
  const pace = await readPace(pool, run.id);
  const shown = signalsText(signals, pace);
  const more = { signals: signalsJson(signals, pace) };
  if (concurrency > run.concurrency && !flag(context, 'yes')) {
    const ask = `not done: raising from ${run.concurrency} to ${concurrency} calls at a time needs --yes`;
    const no = await runOutcome(context, run.id, 1, { ...more, refused: 'needs_yes' });
    return { ...no, text: [...shown, ask] };
  }
  const done = await setConcurrency(pool, { runId: run.id, concurrency, actor: 'cli' });
  if (done.ok) {
    const yes = await runOutcome(context, run.id, 0, more);
    return { ...yes, text: [...shown, `from ${done.value} to ${concurrency} calls at a time, in each worker`] };
  }
  const no = await runOutcome(context, run.id, 1, { ...more, refused: done.refusal });
  return { ...no, text: ['not done: the run has ended', ...no.text] };
}

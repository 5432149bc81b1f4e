import { randomBytes, randomInt } from 'node:crypto';
import path from 'node:path';
import type { Classifier } from '../lib/classifier/answer.ts';
import type { PolicyDocument } from '../lib/policy/schema.ts';
import { type AskedAll, askAll, callOf } from '../lib/quality/ask-all.ts';
import { type AskedRow, type Evaluation, evaluate, truthsOf } from '../lib/quality/evaluate.ts';
import { type GoldFiles, readGoldFiles } from '../lib/quality/gold-files.fs.ts';
import { CliError, type CommandContext } from './command.ts';

/** A policy by which answers are judged, published or not. */
export type Judged = { readonly policyVersion: string; readonly document: PolicyDocument };

export type GoldEvaluation = Evaluation & {
  /** Rows of the files. */
  readonly rows: number;
  /** Rows whose gold says nothing about the policy; they were not asked. */
  readonly withoutGold: number;
};

/** Runs know a call again by its group; those count from 0 and never come near. */
const CALL_GROUP_MIN = 1_000_000_000;
const CALL_GROUP_MAX = 2_000_000_000;

/** Time as an asking needs it: a clock, and a turn of the event loop for everybody else. */
export const TIME = {
  clock: () => performance.now(),
  turn: () => new Promise<void>((resolve) => setImmediate(resolve)),
};

/** @returns what makes the calls of one asking its own, so that no service takes one for a call of a run. */
export function ownCalls(): { readonly callGroup: number; readonly secret: string } {
  return { callGroup: randomInt(CALL_GROUP_MIN, CALL_GROUP_MAX), secret: randomBytes(32).toString('hex') };
}

/**
 * Asks a classifier about every row of files of gold that says something about the policy, and counts its answers.
 * @param files as the user named them.
 * @throws CliError where a file is refused, holds no gold for the policy, or the classifier cannot be asked at all.
 */
export async function evaluateGold(
  context: Pick<CommandContext, 'cwd' | 'signal' | 'progress'>,
  files: readonly string[],
  { classifier, policy, concurrency }: { classifier: Classifier; policy: Judged; concurrency: number },
): Promise<GoldEvaluation> {
  const named = files.map((name) => ({ name, path: path.resolve(context.cwd, name) }));
  const read = await readGoldFiles(named, context.signal);
  if (!read.ok) throw refusal(read);
  const known = read.rows.flatMap((row) => {
    const truths = truthsOf(policy.document, row.gold);
    return truths ? [{ row, truths }] : [];
  });
  if (known.length === 0) {
    throw new CliError('no_gold', `no row of these files has gold for a label of ${policy.policyVersion}`);
  }
  const own = ownCalls();
  const asked = await askAll(
    known.map(({ row }) => callOf(row, policy, own.callGroup)),
    {
      classifier,
      concurrency,
      secret: own.secret,
      signal: context.signal,
      ...TIME,
      onAnswer: (done) => context.progress(`${done} of ${known.length} rows asked`),
    },
  );
  throwIfStopped(classifier.name, asked);
  const rows = known.flatMap(({ row, truths }, at): AskedRow[] => {
    const result = asked.answers[at]?.result;
    if (!result) return [];
    const answer = result.outcome === 'ok' ? { classification: result.classification } : { failure: result.outcome };
    return [{ stratum: row.source, truths, answer }];
  });
  return { rows: read.rows.length, withoutGold: read.rows.length - known.length, ...evaluate(policy.document, rows) };
}

/** @throws CliError where asking stopped because every further call would have failed alike. */
export function throwIfStopped(name: string, { stopped }: AskedAll): void {
  if (stopped !== null) throw new CliError(stopped, `${name} cannot be asked: ${stopped}`);
}

function refusal(read: Extract<GoldFiles, { ok: false }>): CliError {
  switch (read.refusal) {
    case 'no_such_file':
      return new CliError(read.refusal, `there is no file ${read.file}`);
    case 'not_a_file':
      return new CliError(read.refusal, `${read.file} is a folder`);
    case 'not_readable':
      return new CliError(read.refusal, `${read.file} cannot be read`);
    case 'bad_file':
      return new CliError(read.problem.code, `${read.file} cannot be read as rows: ${read.problem.code}`);
    case 'rejected_rows': {
      const [first] = read.rejected;
      const where = first ? `${first.file} line ${first.line}: ${first.code} ${first.field ?? ''}`.trimEnd() : '';
      return new CliError(
        'rejected_rows',
        `${read.rejectedCount} rows are not as an import takes them, first ${where}`,
      );
    }
  }
}

import type { Classifier } from '../lib/classifier/answer.ts';
import { CHECK_TEXT_COUNT, checkCalls } from '../lib/classifier/check-texts.ts';
import type { ClassifierEntry } from '../lib/classifier/config.ts';
import { type Leaving, leaving } from '../lib/classifier/leaves.ts';
import { type AskedAll, askAll } from '../lib/quality/ask-all.ts';
import {
  type Answer,
  CALLS_A_PLACE,
  type PaceAnswer,
  type PaceAsked,
  paceAnswer,
  qualityAnswer,
  ready,
  type SchemaAnswer,
  schemaAnswer,
} from '../lib/quality/readiness.ts';
import { type Bar, releaseBars } from '../lib/quality/release.ts';
import type { CommandContext } from './command.ts';
import { evaluateGold, type GoldEvaluation, type Judged, ownCalls, TIME } from './evaluate-gold.ts';

/** The four questions before production, as they were answered. */
export type ClassifierCheck = {
  readonly asked: AskedAll;
  readonly schema: SchemaAnswer;
  readonly quality: {
    readonly answer: Answer;
    readonly bars: readonly Bar[];
    readonly evaluation: GoldEvaluation | null;
  };
  readonly pace: PaceAnswer;
  readonly data: Leaving & { readonly answer: 'told' };
  /** The questions nobody can answer yet. */
  readonly unknown: readonly string[];
  readonly ready: boolean;
};

export type CheckOptions = PaceAsked & {
  readonly classifier: Classifier;
  readonly policy: Judged;
  /** The classifier's entry in the operator's file; undefined for builtin. */
  readonly entry: ClassifierEntry | undefined;
  readonly goldFiles: readonly string[];
  /** Calls to make, where it was said. */
  readonly sample: number | undefined;
};

/**
 * Asks a classifier our own texts, and gold where there is some, and answers what an operator must know.
 * @throws CliError where a file of gold cannot be used.
 */
export async function checkClassifier(
  context: Pick<CommandContext, 'cwd' | 'signal' | 'progress' | 'env'>,
  options: CheckOptions,
): Promise<ClassifierCheck> {
  const { classifier, policy, entry, goldFiles, concurrency } = options;
  const count = options.sample ?? Math.max(CHECK_TEXT_COUNT, CALLS_A_PLACE * concurrency);
  const own = ownCalls();
  const asked = await askAll(checkCalls(policy, count, own.callGroup), {
    classifier,
    concurrency,
    secret: own.secret,
    signal: context.signal,
    ...TIME,
    onAnswer: (done) => context.progress(`${done} of ${count} texts asked`),
  });
  const schema = schemaAnswer(asked);
  // What cannot be asked at all has no quality: its gold would only cost the same refusals once more.
  const measured = goldFiles.length > 0 && asked.stopped === null;
  const evaluation = measured ? await evaluateGold(context, goldFiles, { classifier, policy, concurrency }) : null;
  const bars = evaluation && releaseBars(policy.document, evaluation);
  const quality = { answer: qualityAnswer(bars), bars: bars ?? [], evaluation };
  const pace = paceAnswer(asked, options);
  const data = { answer: 'told', ...leaving(entry, policy.document, context.env.variable) } as const;
  const answers = { schema: schema.answer, quality: quality.answer, pace: pace.answer, data: data.answer };
  const unknown = Object.entries(answers).flatMap(([name, answer]) => (answer === 'unknown' ? [name] : []));
  return { asked, schema, quality, pace, data, unknown, ready: ready(answers) };
}

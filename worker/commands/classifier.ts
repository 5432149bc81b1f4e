import type { Classifier } from '../../lib/classifier/answer.ts';
import { checkCall } from '../../lib/classifier/check.ts';
import { CONCURRENCY_MAX, mismatch } from '../../lib/classifier/config.ts';
import { checkClassifier } from '../check-classifier.ts';
import { checkJson, checkLines } from '../check-text.ts';
import { openClassifier, operatorClassifiers } from '../classifiers.ts';
import { CliError, type Command, type CommandContext, numberOption, textOption } from '../command.ts';
import type { Judged } from '../evaluate-gold.ts';
import { publishedPolicy } from './evaluate.ts';

const SAMPLE_MAX = 100_000;
const BACKLOG_MAX = 1_000_000_000;
const OBJECTIVE_MAX_MINUTES = 1_000_000;

export const command: Command = {
  name: 'classifier',
  summary: 'Answer what must be known of a classifier before production; stores nothing',
  usage: [
    'classifier check NAME [--policy SLUG@N] [--gold FILE…] [--concurrency N] [--sample N] [--backlog N] [--objective MINUTES]',
  ],
  options: {
    policy: { type: 'string' },
    gold: { type: 'string', multiple: true },
    concurrency: { type: 'string' },
    sample: { type: 'string' },
    backlog: { type: 'string' },
    objective: { type: 'string' },
  },
  needsDatabase: false,
  run: async (context) => {
    const [verb, name, ...more] = context.positionals;
    const goldFiles = goldOption(context, more);
    if (verb !== 'check' || name === undefined || goldFiles === null) {
      throw new CliError('bad_usage', `use: ${command.usage[0]}`);
    }
    const options = {
      sample: numberOption(context, 'sample', { min: 1, max: SAMPLE_MAX }),
      backlog: numberOption(context, 'backlog', { min: 0, max: BACKLOG_MAX }),
      objectiveMinutes: numberOption(context, 'objective', { min: 1, max: OBJECTIVE_MAX_MINUTES }),
    };
    const asked = numberOption(context, 'concurrency', { min: 1, max: CONCURRENCY_MAX });
    const entries = await operatorClassifiers(context.env);
    const classifier = openClassifier(name, entries, context.env);
    try {
      const policy = await policyFor(context, classifier);
      const check = await checkClassifier(context, {
        ...options,
        concurrency: asked ?? classifier.concurrency,
        classifier,
        policy,
        entry: entries.find((entry) => entry.name === name),
        goldFiles,
      });
      return {
        exit: check.ready ? 0 : 1,
        json: { ...headJson(classifier, policy, check.asked.answers), ...checkJson(check) },
        text: [`${name}, asked under ${policy.policyVersion}`, ...checkLines(check)],
      };
    } finally {
      await classifier.close();
    }
  },
};

/** `--gold a b` reads as one option and one word more: both are files. Null where words are left that mean nothing. */
function goldOption({ values }: CommandContext, more: readonly string[]): readonly string[] | null {
  const named = Array.isArray(values.gold) ? values.gold.filter((name) => typeof name === 'string') : [];
  return more.length > 0 && named.length === 0 ? null : [...named, ...more];
}

/** The policy that was named, or a harmless one of our own that pins what the classifier serves. */
async function policyFor(context: CommandContext, classifier: Classifier): Promise<Judged> {
  const version = textOption(context, 'policy');
  if (version === undefined) {
    const [model] = classifier.models;
    return checkCall({ adapter: classifier.adapter, model });
  }
  const policy = await publishedPolicy(context, version);
  if (mismatch(classifier, policy.document)) {
    const { adapter, model } = policy.document.classifier;
    const needed = `${version} pins adapter ${adapter} with model ${model}`;
    throw new CliError('classifier_mismatch', `${needed}, which ${classifier.name} does not serve`);
  }
  return policy;
}

type Answers = Awaited<ReturnType<typeof checkClassifier>>['asked']['answers'];

/** What the first failure was, or that there was none; all further answers stand below it. */
function headJson(classifier: Classifier, policy: Judged, answers: Answers): object {
  const results = answers.map(({ result }) => result);
  const told = results.find(({ outcome }) => outcome !== 'ok') ?? results[0];
  const answered = results.find((result) => result.outcome === 'ok');
  return {
    classifier: classifier.name,
    adapter: classifier.adapter,
    model: policy.document.classifier.model,
    policy_version: policy.policyVersion,
    outcome: told?.outcome ?? 'ok',
    latency_ms: results[0]?.latencyMs ?? 0,
    units: results.reduce((sum, result) => sum + (result.units ?? 0), 0),
    ...(answered?.outcome === 'ok' && { answered_by: answered.model }),
  };
}

import type { Classifier } from '../../lib/classifier/answer.ts';
import { BUILTIN_NAME, CONCURRENCY_MAX, mismatch } from '../../lib/classifier/config.ts';
import { parsePolicyVersion } from '../../lib/kernel/keys.ts';
import { findPolicy } from '../../lib/policy/versions.db.ts';
import { openClassifier, operatorClassifiers } from '../classifiers.ts';
import { CliError, type Command, type CommandContext, numberOption, textOption } from '../command.ts';
import { evaluateGold, type Judged } from '../evaluate-gold.ts';
import { evaluationJson, evaluationLines } from '../evaluation-text.ts';

export const command: Command = {
  name: 'evaluate',
  summary: 'Ask a classifier about rows with gold and count how often it is right; stores nothing',
  usage: ['evaluate GOLD_FILE… --policy SLUG@N [--classifier NAME] [--concurrency N]'],
  options: { policy: { type: 'string' }, classifier: { type: 'string' }, concurrency: { type: 'string' } },
  needsDatabase: true,
  run: async (context) => {
    if (context.positionals.length === 0) throw new CliError('no_file', 'name at least one file: evaluate GOLD_FILE…');
    const version = textOption(context, 'policy');
    if (version === undefined) throw new CliError('bad_usage', `use: ${command.usage[0]}`);
    const asked = numberOption(context, 'concurrency', { min: 1, max: CONCURRENCY_MAX });
    const policy = await publishedPolicy(context, version);
    const classifier = await servingClassifier(context, policy, textOption(context, 'classifier'));
    try {
      const concurrency = asked ?? classifier.concurrency;
      const found = await evaluateGold(context, context.positionals, { classifier, policy, concurrency });
      const { adapter, model } = policy.document.classifier;
      const head = { policy_version: policy.policyVersion, classifier: classifier.name, adapter, model };
      return {
        exit: found.failures < found.asked ? 0 : 1,
        json: { ...head, ...evaluationJson(found) },
        text: [`${policy.policyVersion} on ${classifier.name}`, ...evaluationLines(found)],
      };
    } finally {
      await classifier.close();
    }
  },
};

/**
 * @returns a published policy version with its document.
 * @throws CliError where it is not written SLUG@N or there is none.
 */
export async function publishedPolicy(context: Pick<CommandContext, 'pool'>, version: string): Promise<Judged> {
  if (!parsePolicyVersion(version)) throw new CliError('bad_policy_version', 'a policy version is SLUG@N');
  const policy = await findPolicy(context.pool, version);
  if (!policy)
    throw new CliError('unknown_policy', `there is no policy version ${version}; see \`docket policy list\``);
  return { policyVersion: policy.policyVersion, document: policy.document };
}

/**
 * Opens the classifier that was named, or the first that serves what the policy pins; the caller closes it.
 * @throws CliError where none of this name is there or it does not serve the policy.
 */
export async function servingClassifier(
  context: Pick<CommandContext, 'env'>,
  { policyVersion, document }: Judged,
  name: string | undefined,
): Promise<Classifier> {
  const entries = await operatorClassifiers(context.env);
  const { adapter, model } = document.classifier;
  const serving = entries.find((entry) => entry.adapter === adapter && entry.model === model);
  const classifier = openClassifier(name ?? serving?.name ?? BUILTIN_NAME, entries, context.env);
  if (!mismatch(classifier, document)) return classifier;
  await classifier.close();
  const needed = `${policyVersion} pins adapter ${adapter} with model ${model}`;
  throw new CliError('classifier_mismatch', `${needed}, which ${classifier.name} does not serve`);
}

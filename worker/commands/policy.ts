import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parsePolicyVersion } from '../../lib/kernel/keys.ts';
import { POLICY_TEXT_MAX, type RefusedPolicy } from '../../lib/policy/document.ts';
import { publishPolicy } from '../../lib/policy/publish.db.ts';
import type { PolicyDocument } from '../../lib/policy/schema.ts';
import { findPolicy, listPolicies, type PolicySummary } from '../../lib/policy/versions.db.ts';
import { CliError, type Command, type CommandContext, type CommandOutcome } from '../command.ts';

/** Faults told at once; a file that is wholly something else has hundreds. */
const FAULTS_TOLD = 20;

export const command: Command = {
  name: 'policy',
  summary: 'List, show and publish policy versions',
  usage: ['policy list', 'policy show SLUG@N', 'policy publish FILE'],
  options: {},
  needsDatabase: true,
  run: async (context) => {
    const [verb, argument, ...more] = context.positionals;
    if (verb === 'list' && argument === undefined) return list(context);
    if (verb === 'show' && argument !== undefined && more.length === 0) return show(context, argument);
    if (verb === 'publish' && argument !== undefined && more.length === 0) return publish(context, argument);
    throw new CliError('bad_usage', 'use: policy list, policy show SLUG@N or policy publish FILE');
  },
};

async function list(context: CommandContext): Promise<CommandOutcome> {
  const policies = await listPolicies(context.pool);
  return {
    exit: 0,
    json: { policies: policies.map(summaryJson) },
    text: policies.map((policy) => `${policy.policyVersion}  ${policy.contract}  ${policy.adapter}  ${policy.title}`),
  };
}

function summaryJson(policy: PolicySummary): object {
  return {
    policy_version: policy.policyVersion,
    title: policy.title,
    contract: policy.contract,
    classifier: { adapter: policy.adapter, model: policy.model },
    status: 'published',
    policy_sha256: policy.policySha256,
    published_at: policy.publishedAt.toISOString(),
  };
}

async function show(context: CommandContext, policyVersion: string): Promise<CommandOutcome> {
  if (!parsePolicyVersion(policyVersion)) throw new CliError('bad_policy_version', 'a policy version is SLUG@N');
  const policy = await findPolicy(context.pool, policyVersion);
  if (!policy) throw new CliError('unknown_policy', `there is no policy version ${policyVersion}`);
  const { document } = policy;
  return {
    exit: 0,
    json: { ...summaryJson(policy), prompt_sha256: policy.promptSha256, document },
    text: [
      `${policy.policyVersion}  ${policy.title}`,
      `policy ${policy.policySha256}`,
      `prompt ${policy.promptSha256}`,
      `classifier ${policy.adapter} ${policy.model}`,
      ...ruleLines(document),
    ],
  };
}

/** What follows from an answer, a line each. */
function ruleLines(document: PolicyDocument): string[] {
  switch (document.contract_version) {
    case 'scores/1':
      return document.rules.map(
        (rule) => `  ${rule.label}: review from ${rule.reviewAt}, ${restrictWords(rule.restrictAt, rule.action)}`,
      );
    case 'tag/1':
      return [
        ...document.rules.accept.map((tag) => `  ${tag}: accepted`),
        ...document.rules.review.map((tag) => `  ${tag}: review`),
      ];
    case 'verdict/1':
      return Object.entries(document.rules).map(([word, verdict]) => `  ${word}: ${verdict}`);
  }
}

function restrictWords(restrictAt: number | undefined, action: string): string {
  return restrictAt === undefined ? 'never restricted by the policy' : `${action} proposed from ${restrictAt}`;
}

async function publish(context: CommandContext, file: string): Promise<CommandOutcome> {
  const text = await readText(path.resolve(context.cwd, file), file);
  const result = await publishPolicy(context.pool, { text, actor: 'cli' });
  if (!result.ok) throw new CliError(result.refusal, refusalWords(result));
  const { policyVersion, published } = result.value;
  return {
    exit: 0,
    json: { policy_version: policyVersion, published },
    text: [published ? `published ${policyVersion}` : `already published as ${policyVersion}`],
  };
}

async function readText(at: string, given: string): Promise<string> {
  const bytes = await readFile(at).catch(() => {
    throw new CliError('unreadable_file', `cannot read ${given}`);
  });
  if (bytes.length > POLICY_TEXT_MAX * 3) throw new CliError('policy_too_large', 'the file is too large for a policy');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CliError('invalid_utf8', 'the file is not UTF-8');
  }
}

const REFUSALS: Record<RefusedPolicy['refusal'], string> = {
  policy_too_large: 'the file is too large for a policy',
  invalid_json: 'the file is not JSON',
  duplicate_key: 'the file names a member twice',
  invalid_policy: 'the policy is not valid',
};

function refusalWords({ refusal, faults }: RefusedPolicy): string {
  const told = faults.slice(0, FAULTS_TOLD).map(({ path: at, fault }) => `${at} ${fault}`.trim());
  if (faults.length > FAULTS_TOLD) told.push(`and ${faults.length - FAULTS_TOLD} more`);
  return told.length > 0 ? `${REFUSALS[refusal]}: ${told.join('; ')}` : REFUSALS[refusal];
}

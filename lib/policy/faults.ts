import type { PolicyDocument, PolicyFault, TagDocument } from './schema.ts';
import { labelFaults, reasonFaults, scoresFaults } from './scores-faults.ts';
import { verdictRule } from './verdict-rule.ts';

/**
 * The promises between members of a policy that a shape alone cannot hold.
 * @returns every broken one; none where the policy may be published.
 */
export function policyFaults(document: PolicyDocument): PolicyFault[] {
  switch (document.contract_version) {
    case 'scores/1':
      return [...scoresFaults(document), ...adapterFaults(document)];
    case 'tag/1':
      return [
        ...labelFaults(document.contract.labels),
        ...tagFaults(document),
        ...reasonFaults(document),
        ...adapterFaults(document),
      ];
    case 'verdict/1':
      return [...reasonFaults(document), ...adapterFaults(document)];
  }
}

/** Every label has exactly one consequence, and an example shows the whole answer. */
function tagFaults({ contract, rules, prompt }: TagDocument): PolicyFault[] {
  const names = contract.labels.map((label) => label.name);
  const faults: PolicyFault[] = [];
  for (const part of ['accept', 'review'] as const) {
    for (const [at, name] of rules[part].entries()) {
      if (!names.includes(name)) faults.push({ path: `rules.${part}[${at}]`, fault: 'is no label of the contract' });
    }
  }
  for (const [at, name] of names.entries()) {
    const count = [...rules.accept, ...rules.review].filter((each) => each === name).length;
    if (count !== 1) {
      const fault = count === 0 ? 'has no consequence in rules' : 'stands in rules more than once';
      faults.push({ path: `contract.labels[${at}].name`, fault });
    }
  }
  for (const [at, example] of (prompt?.examples ?? []).entries()) {
    const path = `prompt.examples[${at}]`;
    if (!names.includes(example.label)) faults.push({ path: `${path}.label`, fault: 'is no label of the contract' });
    if (!contract.evidence) continue;
    if (!example.evidence || !example.input.text.includes(example.evidence)) {
      faults.push({ path: `${path}.evidence`, fault: 'must be a passage of its text' });
    }
  }
  return faults;
}

/** Adapters that give scores alone: a word follows from them only by a rule that the policy pins. */
const SCORING: readonly string[] = ['builtin', 'openai-moderation', 'text-classification'];

/** What an adapter can answer at all: see the table of docs/classifiers.md. */
function adapterFaults(document: PolicyDocument): PolicyFault[] {
  const { adapter } = document.classifier;
  if (document.contract_version === 'tag/1') {
    if (adapter === 'openai-moderation') return [{ path: 'classifier.adapter', fault: 'cannot answer a tag contract' }];
    if (adapter === 'text-classification' && document.contract.evidence) {
      return [{ path: 'contract.evidence', fault: 'must be false: this adapter shows no passage' }];
    }
  }
  if (document.contract_version === 'verdict/1' && SCORING.includes(adapter) && verdictRule(document) === null) {
    const fault = 'must say for each label from which score the word is REVIEW or SPAM: this adapter gives scores';
    return [{ path: 'classifier.params.verdict_rule', fault }];
  }
  return [];
}

import type { PolicyDocument, PolicyFault, PolicyLabel, ScoresDocument } from './schema.ts';

/**
 * The promises between members of a `scores` policy that a shape alone cannot hold.
 * @returns every broken one; none where the policy may be published.
 */
export function scoresFaults(document: ScoresDocument): PolicyFault[] {
  return [
    ...labelFaults(document.contract.labels),
    ...ruleFaults(document),
    ...exampleFaults(document),
    ...reasonFaults(document),
  ];
}

/** @returns a fault for each label that was there before. */
export function labelFaults(labels: readonly PolicyLabel[]): PolicyFault[] {
  return repeated(labels.map((label) => label.name)).map((at) => ({
    path: `contract.labels[${at}].name`,
    fault: 'is there twice',
  }));
}

function ruleFaults({ contract, rules }: ScoresDocument): PolicyFault[] {
  const byName = new Map(contract.labels.map((label) => [label.name, label]));
  const faults = repeated(rules.map((rule) => rule.label)).map((at) => ({
    path: `rules[${at}].label`,
    fault: 'has two rules',
  }));
  for (const [at, rule] of rules.entries()) {
    const label = byName.get(rule.label);
    const path = `rules[${at}]`;
    if (!label) faults.push({ path: `${path}.label`, fault: 'is no label of the contract' });
    if (rule.restrictAt !== undefined && rule.restrictAt < rule.reviewAt) {
      faults.push({ path: `${path}.restrictAt`, fault: 'lies below reviewAt' });
    }
    // A label the model was hardly shown may send to people, never propose.
    if (label?.support === 'low' && rule.restrictAt !== undefined) {
      faults.push({ path: `${path}.restrictAt`, fault: 'is not allowed for a label with low support' });
    }
    if (rule.automatic && label?.highImpact) {
      faults.push({ path: `${path}.automatic`, fault: 'is not allowed for a high-impact label' });
    }
    if (rule.automatic && rule.restrictAt === undefined) {
      faults.push({ path: `${path}.automatic`, fault: 'needs restrictAt' });
    }
  }
  return faults;
}

/** An example shows the classifier a whole answer, so it names each label once and no other. */
function exampleFaults({ contract, prompt }: ScoresDocument): PolicyFault[] {
  const names = contract.labels.map((label) => label.name);
  return (prompt?.examples ?? []).flatMap((example, at) => {
    const given = Object.keys(example.labels);
    const exact = given.length === names.length && names.every((name) => Object.hasOwn(example.labels, name));
    return exact ? [] : [{ path: `prompt.examples[${at}].labels`, fault: 'must name every label of the contract' }];
  });
}

/** @returns a fault for each reason code that was there before. */
export function reasonFaults({ reasons }: Pick<PolicyDocument, 'reasons'>): PolicyFault[] {
  return repeated(reasons.map((reason) => reason.code)).map((at) => ({
    path: `reasons[${at}].code`,
    fault: 'is there twice',
  }));
}

/** @returns the places of names that stood there before. */
function repeated(names: readonly string[]): number[] {
  return names.flatMap((name, at) => (names.indexOf(name) < at ? [at] : []));
}

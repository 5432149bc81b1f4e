import { z } from 'zod';
import { JsonNumber, type JsonValue } from '../kernel/json.ts';
import { labelsOf, type PolicyDocument } from '../policy/schema.ts';
import { verdictRule } from '../policy/verdict-rule.ts';

/** How labels of a policy are found among the labels of a service that has its own. */

/** A policy's label, and the service's labels of which the highest counts. */
export const labelMap = z.record(z.string(), z.array(z.string().min(1).max(200)).min(1).max(32)).optional();
export type LabelMap = z.infer<typeof labelMap>;
type Labels = { [label: string]: JsonValue };

/** @returns the labels whose scores a policy needs: its own, or those of its rule; null where a rule is due and none is there. */
export function neededLabels(document: PolicyDocument): readonly string[] | null {
  if (document.contract_version !== 'verdict/1') return labelsOf(document).map(({ name }) => name);
  return verdictRule(document)?.map(({ label }) => label) ?? null;
}

/** @returns the service's labels that stand for one of ours: as pinned, else by the table, else the one of that name. */
export function sourcesOf(
  label: string,
  pinned: LabelMap,
  table: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  if (pinned && Object.hasOwn(pinned, label)) return pinned[label] ?? [];
  return Object.hasOwn(table, label) ? (table[label] ?? []) : [label];
}

/**
 * Puts the scores of a service under the names of the policy. A label is left out where one of its sources is missing
 * (a hole is for the judge to see), and null where one was not evaluated.
 * @param given by the service, judged by nobody yet.
 * @returns the needed labels and all the service's labels that none of them used.
 */
export function underOurNames(
  given: Labels,
  needed: readonly string[],
  sources: (label: string) => readonly string[],
): Labels {
  const labels: Labels = Object.create(null);
  const used = new Set<string>();
  for (const label of needed) {
    const found = sources(label).map((source) => {
      used.add(source);
      return Object.hasOwn(given, source) ? given[source] : undefined;
    });
    const score = highest(found);
    if (score !== undefined) labels[label] = score;
  }
  for (const [name, score] of Object.entries(given)) {
    if (used.has(name)) continue;
    // One that bears a name of ours and stands for nothing of ours is not shown; a wrong one must not vanish with it.
    if (!needed.includes(name) || (score !== null && !inRange(score))) labels[name] = score;
  }
  return labels;
}

/** What is no number is handed on before any number, so that the judge refuses it. */
function highest(found: readonly (JsonValue | undefined)[]): JsonValue | undefined {
  if (found.includes(undefined)) return undefined;
  const wrong = found.find((each) => each !== null && !inRange(each));
  if (wrong !== undefined) return wrong;
  if (found.includes(null)) return null;
  return found.reduce((best, each) =>
    each instanceof JsonNumber && best instanceof JsonNumber && each.value > best.value ? each : best,
  );
}

function inRange(score: JsonValue | undefined): boolean {
  return score instanceof JsonNumber && score.value >= 0 && score.value <= 1;
}

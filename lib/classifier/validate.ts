import { sha256Hex } from '../kernel/hash.ts';
import { isJsonObject, JsonNumber, type JsonValue } from '../kernel/json.ts';
import { codePointCount, hasAnyControl } from '../kernel/text.ts';
import { type Classification, type Scores, WORDS } from '../policy/classification.ts';
import { labelsOf, type PolicyDocument, type TagDocument, type VerdictDocument } from '../policy/schema.ts';
import { verdictRule, wordByRule } from '../policy/verdict-rule.ts';
import type { Call } from './answer.ts';
import type { FailureCode } from './failure.ts';
import { PASSAGE_MAX_CODE_POINTS } from './fits.ts';
import type { Said } from './said.ts';

/** The one judge of what a model said, whichever adapter brought it. Nothing is repaired, trimmed, coerced or clamped. */

/** Labels of its own that a classifier may add, and the length of their names; more is noise that would be stored. */
const OTHER_LABELS_MAX = 256;
const OTHER_NAME_MAX = 200;

export type Validated =
  | { readonly outcome: 'ok'; readonly classification: Classification; readonly otherScores: Scores }
  | { readonly outcome: FailureCode };
type JsonObject = { [key: string]: JsonValue };
const NONE: Scores = {};

/**
 * Judges what was said about a call.
 * @returns the classification in the shape of the policy's contract with what else was scored, or why it is none:
 * `item_mismatch` an echo is missing or wrong; `missing_result` the result itself is missing; `unknown_label`;
 * `evidence_out_of_bounds` a passage that is empty, too long or not in the text; `config_error` a rule the policy
 * should pin is not there; `schema_mismatch` everything else.
 */
export function validate({ document, input }: Pick<Call, 'document' | 'input'>, said: Said): Validated {
  const members = said.answer;
  if (!isJsonObject(members)) return { outcome: 'schema_mismatch' };
  // Echoes first: an answer to something else says nothing about this item, well formed or not.
  const echoes = Object.entries(said.echoes);
  if (echoes.some(([name, due]) => members[name] !== due)) return { outcome: 'item_mismatch' };
  const expected = membersOf(document, said);
  const result = expected[0];
  if (result !== undefined && members[result] === undefined) return { outcome: 'missing_result' };
  const names = Object.keys(members);
  if (names.length !== expected.length + echoes.length || !expected.every((name) => names.includes(name))) {
    return { outcome: 'schema_mismatch' };
  }
  if (said.form === 'scores' || document.contract_version === 'scores/1') return byScores(document, members, said.open);
  return document.contract_version === 'tag/1' ? tagged(document, members, input.text) : word(members.verdict);
}

/** @returns the members that an answer has besides its echoes, the result first. */
function membersOf({ contract }: PolicyDocument, { form }: Said): readonly string[] {
  if (form === 'scores' || contract.kind === 'scores') return ['labels'];
  if (contract.kind === 'verdict') return ['verdict'];
  return contract.evidence ? ['label', 'evidence'] : ['label'];
}

function word(said: JsonValue | undefined): Validated {
  const found = WORDS.find((each) => each === said);
  return found ? { outcome: 'ok', classification: { word: found }, otherScores: NONE } : { outcome: 'schema_mismatch' };
}

function tagged(document: TagDocument, { label, evidence }: JsonObject, text: string): Validated {
  if (typeof label !== 'string') return { outcome: 'schema_mismatch' };
  if (!labelsOf(document).some(({ name }) => name === label)) return { outcome: 'unknown_label' };
  if (!document.contract.evidence) return bare(label, NONE);
  if (typeof evidence !== 'string') return { outcome: 'schema_mismatch' };
  // Half a character would be found inside a whole one.
  if (evidence.trim() === '' || !evidence.isWellFormed() || codePointCount(evidence) > PASSAGE_MAX_CODE_POINTS) {
    return { outcome: 'evidence_out_of_bounds' };
  }
  const at = text.indexOf(evidence);
  if (at < 0) return { outcome: 'evidence_out_of_bounds' };
  const start = codePointCount(text.slice(0, at));
  const end = start + codePointCount(evidence);
  const classification = { tag: label, start, end, passage_sha256: sha256Hex(evidence) };
  return { outcome: 'ok', classification, otherScores: NONE };
}

function bare(tag: string, otherScores: Scores): Validated {
  return { outcome: 'ok', classification: { tag, start: null, end: null, passage_sha256: null }, otherScores };
}

function byScores(document: PolicyDocument, { labels }: JsonObject, open: boolean): Validated {
  if (!isJsonObject(labels)) return { outcome: 'schema_mismatch' };
  const names = labelsOf(document).map(({ name }) => name);
  const given = Object.keys(labels);
  const others = given.filter((name) => !names.includes(name));
  if (document.contract_version === 'scores/1' && !open && others.length > 0) return { outcome: 'unknown_label' };
  if (!names.every((name) => Object.hasOwn(labels, name))) return { outcome: 'schema_mismatch' };
  if (others.length > OTHER_LABELS_MAX || !others.every(isStorable)) return { outcome: 'schema_mismatch' };
  const scores = scoresOf(labels, open);
  if (!scores) return { outcome: 'schema_mismatch' };
  switch (document.contract_version) {
    case 'scores/1':
      return {
        outcome: 'ok',
        classification: { scores: only(scores, names) },
        otherScores: only(scores, others),
      };
    case 'tag/1':
      return tagByScores(document, scores);
    case 'verdict/1':
      return wordByScores(document, scores);
  }
}

/** @returns the numbers from 0 to 1, or null where one is anything else. */
function scoresOf(labels: JsonObject, open: boolean): Scores | null {
  const scores: [string, number | null][] = [];
  for (const [name, said] of Object.entries(labels)) {
    if (said === null && open) scores.push([name, null]);
    else if (said instanceof JsonNumber && said.value >= 0 && said.value <= 1) {
      // -0 is a number from 0 to 1 that prints as 0 and must hash as 0.
      scores.push([name, said.value === 0 ? 0 : said.value]);
    } else return null;
  }
  return Object.fromEntries(scores);
}

function only(scores: Scores, names: readonly string[]): Scores {
  return Object.fromEntries(names.map((name) => [name, scores[name] ?? null]));
}

/** A policy that wants a passage cannot be answered by numbers. Two labels with the same score are no answer. */
function tagByScores(document: TagDocument, scores: Scores): Validated {
  if (document.contract.evidence) return { outcome: 'config_error' };
  const all = Object.entries(scores);
  if (all.some(([, score]) => score === null)) return { outcome: 'schema_mismatch' };
  const best = Math.max(...all.map(([, score]) => score ?? 0));
  const [first, ...tied] = all.filter(([, score]) => score === best).map(([name]) => name);
  if (first === undefined || tied.length > 0) return { outcome: 'schema_mismatch' };
  if (!labelsOf(document).some(({ name }) => name === first)) return { outcome: 'unknown_label' };
  return bare(first, scores);
}

function wordByScores(document: VerdictDocument, scores: Scores): Validated {
  const rule = verdictRule(document);
  if (!rule) return { outcome: 'config_error' };
  const found = wordByRule(rule, scores);
  return found
    ? { outcome: 'ok', classification: { word: found }, otherScores: scores }
    : { outcome: 'schema_mismatch' };
}

/** A name of somebody else's choosing becomes a key of what is stored; the database takes no NUL and no half character. */
function isStorable(name: string): boolean {
  return name !== '' && name.length <= OTHER_NAME_MAX && name.isWellFormed() && !hasAnyControl(name);
}

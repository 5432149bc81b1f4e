import { canonicalSha256 } from '../kernel/canonical.ts';
import { sha256Hex } from '../kernel/hash.ts';
import { decisionId } from '../kernel/keys.ts';
import { canonicalOrNull, type Manifest } from './manifest.ts';
import type { ProblemCode } from './problem.ts';
import { type BundleRow, type DecisionRow, decisionRowSchema, exceptionRowSchema, type RowKind } from './row.ts';

/** A fault of one row, before it is known where the row stands. */
export type RowFault = { readonly code: ProblemCode; readonly what: string };

export type RowJudged =
  | { readonly ok: true; readonly row: BundleRow; readonly faults: readonly RowFault[] }
  | { readonly ok: false; readonly faults: readonly [RowFault] };

/**
 * Judges the text of one row by itself and against its manifest. A text that equals the RFC 8785 form of what it parses
 * to can hold no repeated key, no stray space and no number that loses digits, so JSON.parse is strict enough here.
 * @param line without its LF; well-formed UTF-8 is the caller's to check.
 */
export function judgeRow(kind: RowKind, line: string, manifest: Manifest): RowJudged {
  const value = parseOrUndefined(line);
  if (value === undefined || canonicalOrNull(value) !== line) return bad('form');
  const read = (kind === 'decision' ? decisionRowSchema : exceptionRowSchema).safeParse(value);
  if (!read.success) return bad(memberName(read.error.issues[0]?.path[0]));
  const row = read.data;
  const faults: RowFault[] = [];
  if (row.decision_id !== decisionId(row.content_id, row.revision, row.policy_version)) {
    faults.push({ code: 'bad_decision_id', what: 'decision_id' });
  }
  for (const what of commonFaults(row, manifest)) faults.push({ code: 'bad_row', what });
  if ('verdict' in row) for (const what of decisionFaults(row, manifest)) faults.push({ code: 'bad_row', what });
  for (const what of textFaults(row, manifest)) faults.push({ code: 'bad_hash', what });
  return { ok: true, row, faults };
}

function bad(what: string): RowJudged {
  return { ok: false, faults: [{ code: 'bad_row', what }] };
}

/** A member's name is ours only if it is a word of the schema: an unknown one could say anything. */
function memberName(name: PropertyKey | undefined): string {
  return typeof name === 'string' && name in decisionRowSchema.shape ? name : 'members';
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function* commonFaults(row: BundleRow, manifest: Manifest): Generator<string> {
  if (row.export_id !== manifest.export_id) yield 'export_id';
  if (row.policy_version !== manifest.policy_version) yield 'policy_version';
  if (row.attempts !== row.attempt_lineage.length) yield 'attempts';
  if (!strictlyRising(row.attempt_lineage.map((one) => one.number))) yield 'attempt_lineage';
  const withText = manifest.purpose !== undefined;
  const members = [row.text, row.title, row.author_name, row.parent_text];
  if (members.some((member) => (member !== undefined) !== withText)) yield 'text';
  if (row.review && (row.review.note !== undefined) !== withText) yield 'review';
}

function* decisionFaults(row: DecisionRow, manifest: Manifest): Generator<string> {
  if (row.prompt_sha256 !== manifest.prompt_sha256) yield 'prompt_sha256';
  if (row.contract_version !== manifest.contract_version) yield 'contract_version';
  if ((row.verdict === 'allow') !== (row.because.length === 0)) yield 'because';
  // Whatever else a verdict rests on, a crossed restrictAt is what makes it restrict, and nothing less does for scores.
  if ('scores' in row.classification) {
    const crossed = row.because.some((one) => one.rule === 'restrictAt');
    if (crossed !== (row.verdict === 'restrict')) yield 'verdict';
    if (!row.because.every((one) => reasonHolds(one, row.classification))) yield 'because';
  }
  if ('tag' in row.classification) {
    const { start, end, passage_sha256 } = row.classification;
    const given = [start, end, passage_sha256].filter((one) => one !== null).length;
    if (given % 3 !== 0 || (start !== null && end !== null && start >= end)) yield 'classification';
    if (row.verdict === 'restrict') yield 'verdict';
  }
  if ('word' in row.classification) {
    const { word } = row.classification;
    if (row.verdict === 'allow' && word !== 'CLEAN') yield 'verdict';
    if (row.verdict === 'restrict' && word !== 'SPAM') yield 'verdict';
  }
}

/** A reason must be true of the scores beside it: the same score, at or above its threshold, or not evaluated at all. */
function reasonHolds(reason: DecisionRow['because'][number], classification: DecisionRow['classification']): boolean {
  if (!('scores' in classification)) return true;
  switch (reason.rule) {
    case 'restrictAt':
    case 'reviewAt':
      return (
        reason.score !== null &&
        reason.threshold !== null &&
        reason.score >= reason.threshold &&
        own(classification.scores, reason.label) === reason.score
      );
    case 'not_evaluated':
      return reason.score === null && own(classification.scores, reason.label) === null;
    default:
      return true;
  }
}

function own(scores: Readonly<Record<string, number | null>>, label: string): number | null | undefined {
  return Object.hasOwn(scores, label) ? scores[label] : undefined;
}

/** Text that travels along must be the text that was hashed; erased text (null) can no longer be compared. */
function* textFaults(row: BundleRow, manifest: Manifest): Generator<string> {
  if (manifest.purpose === undefined || typeof row.text !== 'string') return;
  if (sha256Hex(row.text) !== row.text_sha256) yield 'text_sha256';
  if (canonicalSha256(shownInput(row)) !== row.input_sha256) yield 'input_sha256';
}

function shownInput(row: BundleRow): Record<string, string> {
  const members = { text: row.text, title: row.title, author_name: row.author_name, parent_text: row.parent_text };
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function strictlyRising(numbers: readonly number[]): boolean {
  return numbers.every((number, i) => i === 0 || number > (numbers[i - 1] ?? 0));
}

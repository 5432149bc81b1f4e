import { createHmac } from 'node:crypto';
import type { Scores } from '../policy/classification.ts';
import { combineAnswers } from '../policy/derive.ts';
import { SEGMENTS_MAX_DEFAULT, scoresRules } from '../policy/schema.ts';
import { combineScores } from '../policy/verdict.ts';
import {
  type Call,
  type CallAnswer,
  type CallFailure,
  type CallResult,
  type Classifier,
  type ContentCall,
  idempotencyKey,
  nothingToClassify,
  RAW_MAX_BYTES,
  type Weight,
  type WholeResult,
} from './answer.ts';
import { fits, usable } from './fits.ts';
import { instructs } from './instruction.ts';
import { capped } from './raw.ts';
import { type Part, parts } from './segments.ts';

/**
 * Classifies one revision: cuts what is long, asks for each segment in turn and combines the answers as the contract says. The
 * failure of one segment is the failure of the whole, for a hole must not read as "nothing found".
 * @param secret of the installation; the nonce is HMAC-SHA256(secret, idempotency key), so a repeat is byte-identical.
 * @param signal gives up between and during calls.
 * @returns the combined answer with the number of segments and the sum of units; `no_text` where there is nothing to
 * classify and `content_too_large` where the policy takes fewer segments, both without a call.
 */
export async function classifyWhole(
  classifier: Classifier,
  call: ContentCall,
  { secret, signal }: { readonly secret: string; readonly signal: AbortSignal },
): Promise<WholeResult> {
  if (nothingToClassify(call.input)) return { outcome: 'no_text', latencyMs: 0 };
  const cut = parts(call.input);
  if (cut.length > (call.document.segments?.max ?? SEGMENTS_MAX_DEFAULT)) {
    return { outcome: 'content_too_large', latencyMs: 0 };
  }
  const answers: CallAnswer[] = [];
  for (const [at, part] of cut.entries()) {
    const result = judged(call, part, await classifier.classify(segmentCall(call, part, at, secret), signal));
    if (result.outcome !== 'ok') return failed(answers, result);
    answers.push(result);
  }
  return combined(call, answers);
}

function segmentCall(call: ContentCall, { input }: Part, segment: number, secret: string): Call {
  const { callGroup, ...rest } = call;
  const key = idempotencyKey(call.decisionId, callGroup, segment);
  const nonce = createHmac('sha256', secret).update(key).digest('hex');
  return { ...rest, input, idempotencyKey: key, nonce };
}

/** Judges one answer, and counts its passage from the start of the whole text. */
function judged(call: ContentCall, { input, from }: Part, result: CallResult): CallResult {
  if (result.outcome !== 'ok') return result;
  const { classification } = result;
  if (!fits(call.document, classification, input.text) || !usable(result.otherScores)) {
    const { raw, units, latencyMs, weight } = result;
    return { outcome: 'schema_mismatch', raw, units, latencyMs, weight };
  }
  if (from === 0 || !('tag' in classification) || classification.start === null || classification.end === null)
    return result;
  const { start, end } = classification;
  return { ...result, classification: { ...classification, start: start + from, end: end + from } };
}

function failed(before: readonly CallAnswer[], failure: CallFailure): CallFailure {
  if (before.length === 0) return failure;
  return {
    ...failure,
    units: sum(before.map((answer) => answer.units)) + (failure.units ?? 0),
    latencyMs: sum(before.map((answer) => answer.latencyMs)) + failure.latencyMs,
    weight: weigh([...before.map((answer) => answer.weight), ...(failure.weight ? [failure.weight] : [])]),
  };
}

function combined(call: ContentCall, answers: readonly CallAnswer[]): WholeResult {
  const [first, ...rest] = answers;
  if (!first) throw new Error('no segment was asked');
  const instructed = instructs(call.input, call.contentId, call.revision);
  if (rest.length === 0) return { ...first, segments: 1, instructed, differing: [] };
  // One text judged by two models would carry a provenance that is half wrong.
  const models = new Set(answers.map((answer) => answer.model));
  const units = sum(answers.map((answer) => answer.units));
  const latencyMs = sum(answers.map((answer) => answer.latencyMs));
  const weight = weigh(answers.map((answer) => answer.weight));
  if (models.size > 1) return { outcome: 'model_mismatch', units, latencyMs, weight };
  return {
    outcome: 'ok',
    ...combineAnswers(
      call.document,
      answers.map((answer) => answer.classification),
    ),
    otherScores: otherScores(call, answers),
    model: first.model,
    units,
    raw: capped(answers.map((answer) => answer.raw).join('\n'), RAW_MAX_BYTES),
    latencyMs,
    normalised: [...new Set(answers.flatMap((answer) => answer.normalised))],
    weight,
    segments: answers.length,
    instructed,
  };
}

/** Labels that no policy uses are shown where every segment has them; they have no effect. */
function otherScores({ document }: ContentCall, answers: readonly CallAnswer[]): Scores {
  const scores = answers.map((answer) => answer.otherScores);
  const shared = Object.keys(scores[0] ?? {}).filter((label) => scores.every((each) => Object.hasOwn(each, label)));
  if (shared.length === 0) return {};
  const rules = scoresRules(document);
  return combineScores(
    { rules: [...rules] },
    scores.map((each) => Object.fromEntries(shared.map((label) => [label, each[label] ?? null]))),
  );
}

function weigh(weights: readonly Weight[]): Weight {
  return {
    requestBytes: sum(weights.map((each) => each.requestBytes)),
    contentBytes: sum(weights.map((each) => each.contentBytes)),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

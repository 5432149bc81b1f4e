import { createHmac } from 'node:crypto';
import { SEGMENTS_MAX_DEFAULT } from '../policy/schema.ts';
import { combineScores, type Scores } from '../policy/verdict.ts';
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
  type WholeResult,
} from './answer.ts';
import { capped } from './raw.ts';
import { segments } from './segments.ts';

/**
 * Classifies one revision: cuts long text, asks for each segment in turn and combines the answers by maximum. The
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
  const parts = segments(call.input.text);
  if (parts.length > (call.document.segments?.max ?? SEGMENTS_MAX_DEFAULT)) {
    return { outcome: 'content_too_large', latencyMs: 0 };
  }
  const answers: CallAnswer[] = [];
  for (const [at, part] of parts.entries()) {
    const result = judged(call, await classifier.classify(segmentCall(call, part, at, secret), signal));
    if (result.outcome !== 'ok') return failed(answers, result);
    answers.push(result);
  }
  return combined(call, answers);
}

function segmentCall(call: ContentCall, text: string, segment: number, secret: string): Call {
  const { callGroup, ...rest } = call;
  const key = idempotencyKey(call.decisionId, callGroup, segment);
  const nonce = createHmac('sha256', secret).update(key).digest('hex');
  return { ...rest, input: { ...call.input, text }, idempotencyKey: key, nonce };
}

/**
 * The last look at an answer, whichever adapter brought it: exactly the labels of the policy, each a number from 0 to 1
 * or null. Whatever is said here is what the policy judges.
 */
function judged(call: ContentCall, result: CallResult): CallResult {
  if (result.outcome !== 'ok') return result;
  const names = call.document.contract.labels.map((label) => label.name);
  const usable = (scores: Scores): boolean =>
    Object.values(scores).every((score) => score === null || (typeof score === 'number' && score >= 0 && score <= 1));
  const exact =
    Object.keys(result.scores).length === names.length && names.every((name) => Object.hasOwn(result.scores, name));
  if (exact && usable(result.scores) && usable(result.otherScores)) return result;
  return { outcome: 'schema_mismatch', raw: result.raw, units: result.units, latencyMs: result.latencyMs };
}

function failed(before: readonly CallAnswer[], failure: CallFailure): CallFailure {
  if (before.length === 0) return failure;
  return {
    ...failure,
    units: sum(before.map((answer) => answer.units)) + (failure.units ?? 0),
    latencyMs: sum(before.map((answer) => answer.latencyMs)) + failure.latencyMs,
  };
}

function combined(call: ContentCall, answers: readonly CallAnswer[]): WholeResult {
  const [first, ...rest] = answers;
  if (!first) throw new Error('no segment was asked');
  if (rest.length === 0) return { ...first, segments: 1 };
  // One text judged by two models would carry a provenance that is half wrong.
  const models = new Set(answers.map((answer) => answer.model));
  const others = sameLabels(answers.map((answer) => answer.otherScores));
  const units = sum(answers.map((answer) => answer.units));
  const latencyMs = sum(answers.map((answer) => answer.latencyMs));
  if (models.size > 1) return { outcome: 'model_mismatch', units, latencyMs };
  return {
    outcome: 'ok',
    scores: combineScores(
      call.document,
      answers.map((answer) => answer.scores),
    ),
    otherScores: others ? combineScores(call.document, others) : {},
    model: first.model,
    units,
    raw: capped(answers.map((answer) => answer.raw).join('\n'), RAW_MAX_BYTES),
    latencyMs,
    normalised: [...new Set(answers.flatMap((answer) => answer.normalised))],
    segments: answers.length,
  };
}

/** Labels that no policy uses are shown where every segment has them; they have no effect. */
function sameLabels(scores: readonly Scores[]): Scores[] | null {
  const [first = {}] = scores;
  const shared = Object.keys(first).filter((label) => scores.every((each) => Object.hasOwn(each, label)));
  if (shared.length === 0) return null;
  return scores.map((each) => Object.fromEntries(shared.map((label) => [label, each[label] ?? null])));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

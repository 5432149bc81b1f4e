import type { WholeAnswer, WholeResult } from '../classifier/answer.ts';
import { BAD_UPSTREAM_PAUSE_COUNT, consequence } from '../classifier/failure.ts';
import type { Classification } from '../policy/classification.ts';
import { deriveVerdict } from '../policy/derive.ts';
import type { PolicyDocument } from '../policy/schema.ts';
import type { ItemEnd } from './item-end.ts';
import type { PauseReason } from './run-state.ts';

/** What a decision is made of besides the answer. */
export type Provenance = {
  readonly document: PolicyDocument;
  readonly promptSha256: string;
  readonly contractVersion: string;
  /** The classifier's name. */
  readonly classifier: string;
  readonly textSha256: string;
  readonly inputSha256: string;
};

/**
 * Turns what a classifier answered into the end of a hold: an answer with the verdict the policy derives, or a failure.
 * @param pauses true where the run pauses because of this result, so that nothing is spent.
 * @param isOwn true where a fault that would pause the run follows the item.
 */
export function endOfCall(result: WholeResult, from: Provenance, pauses: boolean, isOwn = false): ItemEnd {
  if (result.outcome !== 'ok') {
    return {
      kind: 'failure',
      code: result.outcome,
      retryAfterMs: result.retryAfterMs ?? null,
      pauses,
      isOwn,
      call: {
        latencyMs: result.latencyMs,
        units: result.units ?? null,
        raw: result.raw ?? null,
        weight: result.weight ?? null,
      },
    };
  }
  const { verdict, because } = deriveVerdict(from.document, result.classification, result);
  return {
    kind: 'answer',
    draft: {
      textSha256: from.textSha256,
      inputSha256: from.inputSha256,
      promptSha256: from.promptSha256,
      contractVersion: from.contractVersion,
      classifier: from.classifier,
      model: result.model,
      classification: kept(result),
      verdict,
      because,
      segments: result.segments,
      normalised: result.normalised,
      instructed: result.instructed,
    },
    call: { latencyMs: result.latencyMs, units: result.units, raw: result.raw, weight: result.weight },
  };
}

/** Labels the policy does not use are kept and shown; they have no part in the verdict. */
function kept({ classification, otherScores }: WholeAnswer): Classification {
  return 'scores' in classification ? { scores: { ...otherScores, ...classification.scores } } : classification;
}

/** How many upstream faults came in a row, counted over the results of a run in the order they arrive. */
export type Streak = { readonly badUpstream: number };

/**
 * Takes one result into account.
 * @returns the streak after it, and why the run has to pause, or null.
 */
export function afterResult(
  streak: Streak,
  outcome: WholeResult['outcome'],
): { streak: Streak; pause: PauseReason | null } {
  const badUpstream = outcome === 'bad_upstream' ? streak.badUpstream + 1 : 0;
  if (badUpstream >= BAD_UPSTREAM_PAUSE_COUNT) return { streak: { badUpstream }, pause: 'bad_upstream' };
  return { streak: { badUpstream }, pause: outcome === 'ok' ? null : pauseReason(outcome) };
}

function pauseReason(code: Exclude<WholeResult['outcome'], 'ok'>): PauseReason | null {
  if (consequence(code).follows !== 'pause') return null;
  switch (code) {
    case 'config_error':
    case 'model_mismatch':
    case 'quota_exhausted':
    case 'ceiling':
      return code;
    default:
      throw new Error('a failure that pauses for no reason a run can name');
  }
}

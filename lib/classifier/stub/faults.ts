import { sha256Hex } from '../../kernel/hash.ts';

/** What the stub does wrong on purpose, each by its name, and when. */

/** On the way: whatever the format. Drawn anew for each repeat of a key, as a repeat often goes through. */
export const WIRE_FAULTS = [
  'timeout',
  'stall_body',
  'reset',
  'reset_body',
  '429',
  '429_retry_after',
  '429_quota',
  '503',
  '529',
  '400_filtered',
  '401',
  'html',
  'html_as_json',
  'gzip_cut',
  'stream',
] as const;
/** In the answer: only where the format has a place for it. The same for the same key, as is every answer. */
export const ANSWER_FAULTS = [
  'invalid_json',
  'fenced',
  'prose',
  'two_objects',
  'truncated',
  'content_filter',
  'refusal',
  'wrong_model',
  'duplicate_key',
  'unknown_label',
  'missing_label',
  'score_string',
  'score_1_5',
  'score_nan',
  'score_null',
  'wrong_nonce',
  'missing_nonce',
  'wrong_echo',
  'evidence_not_in_text',
  'evidence_too_long',
  'empty',
  'two_choices',
  'other_vocabulary',
] as const;

export type WireFault = (typeof WIRE_FAULTS)[number];
export type AnswerFault = (typeof ANSWER_FAULTS)[number];
export type Fault = WireFault | AnswerFault;
export const FAULT_NAMES: readonly Fault[] = [...WIRE_FAULTS, ...ANSWER_FAULTS];

/** The share of answers that each fault takes, from 0 to 1; together at most 1. */
export type Misbehaviour = readonly { readonly fault: Fault; readonly share: number }[];
export type ReadMisbehaviour =
  | { readonly ok: true; readonly value: Misbehaviour }
  | { readonly ok: false; readonly refusal: 'unknown_fault' | 'bad_share' | 'named_twice' | 'more_than_all' };

/**
 * Reads `timeout=0.02,429=0.05`; a name alone is 1, an empty text behaves.
 * @returns what is to go wrong, or what is wrong with the text.
 */
export function readMisbehaviour(text: string): ReadMisbehaviour {
  const shares = new Map<Fault, number>();
  for (const part of text.split(',').map((each) => each.trim())) {
    if (part === '') continue;
    const [name, said = '1', ...more] = part.split('=').map((each) => each.trim());
    const fault = FAULT_NAMES.find((each) => each === name);
    if (!fault) return { ok: false, refusal: 'unknown_fault' };
    const share = /^(?:0|1|[01]?\.\d{1,9})$/.test(said) ? Number(said) : Number.NaN;
    if (more.length > 0 || !(share >= 0 && share <= 1)) return { ok: false, refusal: 'bad_share' };
    if (shares.has(fault)) return { ok: false, refusal: 'named_twice' };
    shares.set(fault, share);
  }
  const all = [...shares.values()].reduce((sum, share) => sum + share, 0);
  if (all > 1 + 1e-9) return { ok: false, refusal: 'more_than_all' };
  return { ok: true, value: [...shares].map(([fault, share]) => ({ fault, share })) };
}

/**
 * Draws what goes wrong with one request; the same seed, key and repeat always draw the same.
 * @param repeat how often this key was asked before: 0 at first.
 * @param fits whether the format has a place for a fault; one that has none takes nothing.
 */
export function drawFault(
  misbehaviour: Misbehaviour,
  { seed, key, repeat }: { readonly seed: number; readonly key: string; readonly repeat: number },
  fits: (fault: AnswerFault) => boolean,
): Fault | null {
  const first = lot(`${seed}\0${key}`);
  const again = repeat === 0 ? first : lot(`${seed}\0${key}\0${repeat}`);
  let from = 0;
  for (const { fault, share } of misbehaviour) {
    const drawn = isAnswerFault(fault) ? first : again;
    const to = from + share;
    if (drawn >= from && drawn < to && (!isAnswerFault(fault) || fits(fault))) return fault;
    from = to;
  }
  return null;
}

/** @returns true where the answer itself is wrong, not the way there. */
export function isAnswerFault(fault: Fault): fault is AnswerFault {
  return (ANSWER_FAULTS as readonly string[]).includes(fault);
}

/** From 0 up to 1. */
function lot(text: string): number {
  return Number.parseInt(sha256Hex(text).slice(0, 12), 16) / 2 ** 48;
}

import { isLine } from '../kernel/text.ts';
import { looksLikeId } from '../kernel/uuid.ts';

/** Bytes of a run's name at most. */
export const RUN_NAME_MAX_BYTES = 200;

/** @returns true for a name that a run may bear: 1 to RUN_NAME_MAX_BYTES bytes, no control character, not an id. */
export function isRunName(name: string): boolean {
  return isLine(name, RUN_NAME_MAX_BYTES) && !looksLikeId(name);
}

/**
 * Names for a run that was given none: the snapshot's and the policy version's, numbered from the second on.
 * @param from the first number, from 1.
 */
export function runNames(snapshot: string, policyVersion: string, from: number, count: number): string[] {
  const base = `${[...snapshot].slice(0, 40).join('')}-${policyVersion.replace('@', '-')}`;
  return Array.from({ length: count }, (_, at) => (from + at === 1 ? base : `${base}-${from + at}`));
}

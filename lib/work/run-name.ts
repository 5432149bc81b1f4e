import { hasAnyControl, hasLoneSurrogate, utf8Length } from '../kernel/text.ts';

/** Bytes of a run's name at most. */
export const RUN_NAME_MAX_BYTES = 200;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** @returns true where the text can only be meant as an id; no run is named so. */
export function looksLikeId(text: string): boolean {
  return UUID.test(text);
}

/** @returns true for a name that a run may bear: 1 to RUN_NAME_MAX_BYTES bytes, no control character, not an id. */
export function isRunName(name: string): boolean {
  const bytes = utf8Length(name);
  return (
    bytes >= 1 && bytes <= RUN_NAME_MAX_BYTES && !hasAnyControl(name) && !hasLoneSurrogate(name) && !looksLikeId(name)
  );
}

/**
 * Names for a run that was given none: the snapshot's and the policy version's, numbered from the second on.
 * @param from the first number, from 1.
 */
export function runNames(snapshot: string, policyVersion: string, from: number, count: number): string[] {
  const base = `${[...snapshot].slice(0, 40).join('')}-${policyVersion.replace('@', '-')}`;
  return Array.from({ length: count }, (_, at) => (from + at === 1 ? base : `${base}-${from + at}`));
}

import type { CallInput } from './answer.ts';

/**
 * @returns true where something that is shown tries to instruct whoever classifies it.
 */
export function instructs(_input: CallInput): boolean {
  return false;
}

import { z } from 'zod';
import { isLine } from '../kernel/text.ts';

/** Bytes of a model's name, which is stored with every decision. */
const MODEL_MAX_BYTES = 200;

/**
 * How the model that an answer names must relate to the pinned one: the same, the pinned one with a suffix after `-`,
 * `@` or `:` (a dated release), or anything.
 */
export const modelEcho = z.enum(['exact', 'prefix', 'ignore']).default('exact');
export type ModelEcho = z.infer<typeof modelEcho>;

/**
 * @param named as the answer names it; null or undefined where it names none.
 * @returns the model to be recorded, or null where it is not the pinned one in the agreed sense, or no name at all.
 */
export function modelNamed(pinned: string, named: unknown, echo: ModelEcho): string | null {
  if (named === null || named === undefined) return echo === 'ignore' ? pinned : null;
  if (typeof named !== 'string' || !isLine(named, MODEL_MAX_BYTES)) return null;
  if (echo === 'ignore' || named === pinned) return named;
  if (echo === 'exact' || !named.startsWith(pinned)) return null;
  return /^[-@:]/.test(named.slice(pinned.length)) ? named : null;
}

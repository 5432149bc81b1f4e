import * as z from 'zod';
import { codePointCount, hasForbiddenControl, hasLoneSurrogate } from '@/lib/kernel/text.ts';
import { NOTE_LENGTH_MAX } from '@/lib/review/limits.ts';
import { QUEUES } from '@/lib/review/queues.ts';
import { UNITS_BOUNDS } from '@/lib/work/budget.db.ts';
import { CONCURRENCY_BOUNDS } from '@/lib/work/limits.ts';

/** What the desk's routes take, field by field. */

/** Our people's own words: as long as a note may be, and storable. */
export const noteText = z
  .string()
  .refine((text) => codePointCount(text) <= NOTE_LENGTH_MAX && !hasForbiddenControl(text) && !hasLoneSurrogate(text));

export const optionalNote = noteText.nullable().default(null);
export const code = z.string().min(1).max(64);
export const revision = z.string().min(1).max(128);
export const queue = z.enum(QUEUES);
export const nothing = z.object({});
/** The proof of a claim, which every act on a case sends. */
export const held = z.object({ token: z.uuid() });
/** A moderator's no. */
export const rejection = z.object({ revision, reasonCode: code, note: optionalNote });

const units = z.int().min(UNITS_BOUNDS.min).max(UNITS_BOUNDS.max);
/** The go for a run; without a ceiling the one it was started with stands. */
export const go = z.object({ ceilingUnits: units.optional(), acceptPause: z.boolean().default(false) });
export const resume = z.object({ ceilingUnits: units.optional() });
export const concurrency = z.object({ concurrency: z.int().min(CONCURRENCY_BOUNDS.min).max(CONCURRENCY_BOUNDS.max) });

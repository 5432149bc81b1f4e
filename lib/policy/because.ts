import { z } from 'zod';
import { BECAUSE_RULES } from './verdict.ts';

/** The reasons of a decision as they are stored: for whoever reads that column. */
export const becauseSchema = z.array(
  z.object({
    label: z.string(),
    score: z.number().nullable(),
    threshold: z.number().nullable(),
    rule: z.enum(BECAUSE_RULES),
  }),
);

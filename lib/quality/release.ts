import { z } from 'zod';
import type { PolicyDocument } from '../policy/schema.ts';
import type { Evaluation, LabelQuality } from './evaluate.ts';

/** The bar a policy sets for itself in `release.criteria`, held against an evaluation. */

/** Fewer rows than this do not decide whether a bar is met. */
const DECIDING_COUNT = 10;

const share = z.number().min(0).max(1);
const criterion = z.union([
  z.strictObject({ metric: z.enum(['precision', 'recall']), label: z.string(), minimum: share }),
  z.strictObject({ metric: z.enum(['precision', 'recall']), scope: z.literal('each_label'), minimum: share }),
  z.strictObject({ metric: z.literal('failures'), scope: z.literal('all'), maximum: z.int().min(0) }),
]);

/** One bar for one label, or for all rows. `met` is null where too few rows tell, or nobody can read the criterion. */
export type Bar = {
  readonly metric: 'precision' | 'recall' | 'failures' | 'unreadable';
  readonly label: string | null;
  readonly asked: number | null;
  readonly found: number | null;
  readonly met: boolean | null;
};

/** A bar in a form nobody here knows is not taken for none. */
const UNREADABLE: Bar = { metric: 'unreadable', label: null, asked: null, found: null, met: null };

/** @returns every bar of the policy beside what was found; none where it sets none. */
export function releaseBars(document: PolicyDocument, evaluation: Evaluation): Bar[] {
  const given = document.release?.criteria;
  if (given === undefined) return [];
  if (!Array.isArray(given)) return [UNREADABLE];
  const whole = evaluation.byLabel.filter(({ stratum }) => stratum === null);
  return given.flatMap((one): Bar[] => {
    const read = criterion.safeParse(one);
    if (!read.success) return [UNREADABLE];
    if (read.data.metric === 'failures') {
      const { maximum } = read.data;
      const { failures } = evaluation;
      return [{ metric: 'failures', label: null, asked: maximum, found: failures, met: failures <= maximum }];
    }
    const { metric, minimum } = read.data;
    const label = 'label' in read.data ? read.data.label : null;
    const judged = label === null ? whole : whole.filter((each) => each.label === label);
    if (judged.length === 0) return [{ metric, label, asked: minimum, found: null, met: null }];
    return judged.map((each) => barOf(metric, minimum, each));
  });
}

function barOf(metric: 'precision' | 'recall', minimum: number, quality: LabelQuality): Bar {
  const found = quality[metric];
  const count = quality.tp + (metric === 'precision' ? quality.fp : quality.fn);
  const met = found === null || count < DECIDING_COUNT ? null : found >= minimum;
  return { metric, label: quality.label, asked: minimum, found, met };
}

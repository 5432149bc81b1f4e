import { judgeReversal, type RestoreRefusal } from '@/lib/review/restore.ts';
import type { Timeline } from '@/lib/review/timeline.db.ts';
import type { TimelineEntry } from '@/lib/review/timeline.ts';

/** What going back through the newest record would restore, or why it cannot be gone back through. */
export type ReversalOffer =
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly refusal: RestoreRefusal }
  | {
      readonly kind: 'offer';
      readonly version: number;
      readonly now: { readonly status: string; readonly action: string | null };
      readonly next: { readonly status: string; readonly action: string | null };
      /** What becomes of an action that stands: `reverse`, `withdraw`, `reinstate` or `none`. */
      readonly action: string;
    };

/**
 * Asks the rule itself what a reversal would do, so that the preview and the act cannot differ; the act asks again.
 * @param standing the state of the action that stands on the item, if one does.
 */
export function reversalOffer(
  { item, entries }: Timeline,
  standing: 'proposed' | 'approved' | 'applied' | null,
): ReversalOffer {
  const records = entries.filter(
    (entry): entry is Extract<TimelineEntry, { kind: 'record' }> => entry.kind === 'record',
  );
  const newest = records.find((record) => record.version === item.version);
  if (!newest) return { kind: 'none' };
  const judged = judgeReversal({
    record: newest,
    alreadyReversed: records.some((record) => record.answers === `record:${newest.version}`),
    content: item,
    standing,
  });
  if (!judged.ok) return { kind: 'refused', refusal: judged.refusal };
  const { next, action } = judged.value;
  return { kind: 'offer', version: newest.version, now: item, next, action };
}

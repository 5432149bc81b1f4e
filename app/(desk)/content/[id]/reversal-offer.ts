import 'server-only';
import type { Pool } from '@/lib/db/pool.db.ts';
import type { ItemState } from '@/lib/enforcement/item-rows.ts';
import { previewReversal } from '@/lib/review/record.db.ts';
import type { RestoreRefusal } from '@/lib/review/restore.ts';

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

/** @returns what the act would do to this item's newest record; the act asks again. */
export async function reversalOffer(pool: Pool, item: ItemState): Promise<ReversalOffer> {
  const { contentId, version } = item;
  const judged = await previewReversal(pool, { contentId, version });
  if (judged.ok) return { kind: 'offer', version, now: item, next: judged.value.next, action: judged.value.action };
  return judged.refusal === 'not_found' ? { kind: 'none' } : { kind: 'refused', refusal: judged.refusal };
}

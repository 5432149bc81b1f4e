import 'server-only';
import { may } from '@/lib/access/roles.ts';
import type { User } from '@/lib/access/users.db.ts';
import { queueCounts } from '@/lib/review/queue.db.ts';
import { db } from './db.ts';
import { type Json, toJson } from './json.ts';

type Waiting = { readonly count: number; readonly oldestAt: Date | null };
export type CountsJson = Readonly<Partial<Record<'review' | 'failed' | 'moderator' | 'approvals', Json<Waiting>>>>;

/** @returns what waits in the queues that this person works on, and since when. */
export async function countsFor(user: User): Promise<CountsJson> {
  if (!may(user.role, 'case.review') && !may(user.role, 'action.decide')) return {};
  const { review, failed, moderator, approvals } = await queueCounts(db());
  const shown = ({ count, oldestAt }: Waiting) => toJson({ count, oldestAt });
  return {
    ...(may(user.role, 'case.review') && { review: shown(review), failed: shown(failed) }),
    ...(may(user.role, 'case.review_moderator') && { moderator: shown(moderator) }),
    ...(may(user.role, 'action.decide') && { approvals: shown(approvals) }),
  };
}

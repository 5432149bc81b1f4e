import type { Queryable } from '../db/pool.db.ts';
import { type ApprovalItem, findApproval } from './approvals.db.ts';
import { type ItemView, itemView } from './item-view.db.ts';
import { type PublicChange, publicChange } from './public-view.ts';

/** One action as a moderator decides on it. */
export type ApprovalView = {
  readonly approval: ApprovalItem;
  readonly view: ItemView;
  readonly change: PublicChange;
};

/**
 * Reads an action in whatever state, the whole record of its content item, and what each answer would change for the
 * public.
 * @returns null where there is no such action.
 */
export async function approvalView(db: Queryable, actionId: string): Promise<ApprovalView | null> {
  const approval = await findApproval(db, actionId);
  const view = approval && (await itemView(db, approval));
  if (!approval || !view) return null;
  return { approval, view, change: publicChange(view.item, approval.action) };
}

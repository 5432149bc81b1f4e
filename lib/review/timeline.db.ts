import type { Queryable } from '../db/pool.db.ts';
import type { ItemState } from '../enforcement/item-rows.ts';
import { itemState } from '../enforcement/item-view.db.ts';
import { SELECT_REVIEWS } from '../enforcement/item-view.sql.ts';
import {
  TIMELINE_ACTIONS,
  TIMELINE_ARRIVALS,
  TIMELINE_CASE_EVENTS,
  TIMELINE_DECISIONS,
  TIMELINE_EXCEPTIONS,
  TIMELINE_RECORDS,
} from './timeline.sql.ts';
import { inOrder, stepsOf, type TimelineEntry } from './timeline.ts';
import {
  actionRow,
  arrivalEntry,
  caseEntry,
  decisionEntry,
  exceptionEntry,
  recordEntry,
  reviewEntry,
} from './timeline-rows.ts';

/** Entries of each kind at most, the newest. */
export const TIMELINE_MAX = 500;

export type Timeline = { readonly item: ItemState; readonly entries: readonly TimelineEntry[] };

/**
 * Reads everything that happened to one content item, in one list, oldest first: arrivals, decisions, exceptions, events
 * of its cases, reviews, steps of its enforcement actions and rollback records.
 * @returns null where there is no such item.
 */
export async function timeline(db: Queryable, contentId: string): Promise<Timeline | null> {
  const item = await itemState(db, contentId);
  if (!item) return null;
  const read = (statement: string) => db.query(statement, [contentId, TIMELINE_MAX]).then((found) => found.rows);
  const [arrivals, decisions, exceptions, cases, reviews, actions, records] = await Promise.all([
    read(TIMELINE_ARRIVALS),
    read(TIMELINE_DECISIONS),
    read(TIMELINE_EXCEPTIONS),
    read(TIMELINE_CASE_EVENTS),
    read(SELECT_REVIEWS),
    read(TIMELINE_ACTIONS),
    read(TIMELINE_RECORDS),
  ]);
  const entries = inOrder([
    ...arrivals.map((row) => arrivalEntry.parse(row)),
    ...decisions.map((row) => decisionEntry.parse(row)),
    ...exceptions.map((row) => exceptionEntry.parse(row)),
    ...reviews.reverse().map((row) => reviewEntry.parse(row)),
    ...actions.flatMap((row) => stepsOf(actionRow.parse(row))),
    ...records.map((row) => recordEntry.parse(row)),
    ...cases.map((row) => caseEntry.parse(row)),
  ]);
  return { item, entries };
}

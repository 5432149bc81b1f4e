import { createHash, randomUUID } from 'node:crypto';
import type { Queryable } from '../../db/pool.db.ts';
import { canonicalSha256 } from '../../kernel/canonical.ts';
import { sha256Hex } from '../../kernel/hash.ts';
import { decisionId } from '../../kernel/keys.ts';
import { compareBytes } from '../../kernel/text.ts';
import { INSERT_ITEMS, SEED_RUN, SEED_SOURCE } from './run.sql.ts';

/** Runs written straight into the tables, for tests that are about what comes after a run. */

export type SeedItem = {
  readonly contentId: string;
  readonly revision?: string;
  readonly contentType?: 'post' | 'comment' | 'document';
  readonly source?: string;
  readonly text?: string;
  readonly title?: string;
  readonly end: 'allow' | 'review' | 'restrict' | 'exception' | 'pending';
  readonly spam?: number;
};

export type SeededRun = { readonly runId: string; readonly name: string; readonly snapshotId: string };

export const SEED_POLICY = 'forum@1';
const SCORES = { allow: 0.1, review: 0.5, restrict: 0.95 };

function rowOf(item: SeedItem) {
  const revision = item.revision ?? '1';
  const text = item.text ?? `text of ${item.contentId}`;
  const decided = item.end !== 'exception' && item.end !== 'pending';
  const spam = item.spam ?? (decided ? SCORES[item.end as keyof typeof SCORES] : 0);
  const rule = item.end === 'restrict' ? 'restrictAt' : 'reviewAt';
  const title = item.title === undefined ? {} : { title: item.title };
  return {
    content_id: item.contentId,
    revision,
    content_type: item.contentType ?? 'comment',
    source: item.source ?? 'forum/a',
    text,
    title: item.title ?? null,
    text_sha256: sha256Hex(text),
    input_sha256: canonicalSha256({ text, ...title }),
    decision_id: decisionId(item.contentId, revision, SEED_POLICY),
    state: item.end === 'pending' ? 'pending' : decided ? 'classified' : 'failed_review',
    verdict: decided ? item.end : null,
    classification: { scores: { spam, threat: 1e-7, hate: null } },
    because:
      item.end === 'allow' ? [] : [{ label: 'spam', score: spam, threshold: rule === 'reviewAt' ? 0.4 : 0.9, rule }],
  };
}

/** Writes source, content, snapshot, run, items, attempts and decisions. */
export async function seedRun(db: Queryable, items: readonly SeedItem[], { name = 'small' } = {}): Promise<SeededRun> {
  const rows = items
    .map(rowOf)
    .sort((a, b) => compareBytes(a.content_id, b.content_id) || compareBytes(a.revision, b.revision));
  const hash = createHash('sha256');
  for (const row of rows) hash.update(`${row.content_id}\0${row.revision}\0${row.input_sha256}\n`);
  const ids = { runId: randomUUID(), snapshotId: randomUUID() };
  await db.query(SEED_SOURCE, [[...new Set(rows.map((row) => row.source))]]);
  const state = rows.some((row) => row.state === 'pending') ? 'running' : 'complete';
  await db.query(SEED_RUN, [ids.snapshotId, hash.digest('hex'), rows.length, name, ids.runId, state]);
  for (const statement of INSERT_ITEMS) {
    await db.query(statement, [ids.runId, ids.snapshotId, JSON.stringify(rows)]);
  }
  return { ...ids, name };
}

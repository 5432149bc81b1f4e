import type { Pool, Queryable } from '../../db/pool.db.ts';
import { canonicalSha256 } from '../../kernel/canonical.ts';
import { sha256Hex } from '../../kernel/hash.ts';
import { publishPolicy } from '../../policy/publish.db.ts';
import type { ScoresDocument } from '../../policy/schema.ts';
import { testPolicy } from '../../policy/testing.ts';
import { findPolicy, type PolicyVersion } from '../../policy/versions.db.ts';
import {
  ACTIONS,
  CASES,
  CONTENT,
  EXPIRE_LEASES,
  INSERT_CONTENT,
  INSERT_MEMBERS,
  INSERT_REVISIONS,
  INSERT_SNAPSHOT,
  INSERT_SOURCES,
  INSERT_TEXTS,
  INSERT_TOTALS,
  ITEMS,
  LINEAGE,
  MAKE_DUE,
  PERSON_RANKS,
  PERSON_RECORDS,
} from './corpus.sql.ts';

/** One revision of a test's corpus. */
export type SeedRow = {
  readonly contentId: string;
  readonly revision?: string;
  readonly source?: string;
  readonly sourceKind?: 'backfill' | 'live' | 'documents';
  readonly contentType?: 'post' | 'comment' | 'document';
  /** What a scripted classifier reads its orders from: `spam=0.9`, `fail=timeout`. */
  readonly text?: string;
};

/** Stores revisions and closes a snapshot over them, as an import would. @returns the snapshot's id. */
export async function seedSnapshot(db: Queryable, name: string, rows: readonly SeedRow[]): Promise<string> {
  const json = JSON.stringify(
    rows.map((row, order) => {
      const text = row.text ?? 'plain words';
      const sourceKind = row.sourceKind ?? 'backfill';
      return {
        content_id: row.contentId,
        revision: row.revision ?? '1',
        content_type: row.contentType ?? 'comment',
        source: row.source ?? 'forum',
        source_kind: sourceKind,
        status: sourceKind === 'backfill' ? 'published' : 'pending',
        text,
        text_sha256: sha256Hex(text),
        input_sha256: canonicalSha256({ text }),
        order,
      };
    }),
  );
  for (const statement of [INSERT_SOURCES, INSERT_CONTENT, INSERT_REVISIONS, INSERT_TEXTS]) {
    await db.query(statement, [json]);
  }
  const { rows: made } = await db.query<{ id: string }>(INSERT_SNAPSHOT, [sha256Hex(name + json), rows.length, name]);
  const id = made[0]?.id;
  if (!id) throw new Error('a snapshot was not written');
  await db.query(INSERT_MEMBERS, [json, id]);
  await db.query(INSERT_TOTALS, [json, id]);
  return id;
}

/** Publishes the small test policy, changed as asked. */
export async function seedPolicy(pool: Pool, changes: Partial<ScoresDocument> = {}): Promise<PolicyVersion> {
  const published = await publishPolicy(pool, { text: JSON.stringify(testPolicy(changes)), actor: 'cli' });
  if (!published.ok) throw new Error(`the test policy is refused: ${published.refusal}`);
  const policy = await findPolicy(pool, published.value.policyVersion);
  if (!policy) throw new Error('a policy version was not written');
  return policy;
}

export type ItemView = {
  id: number;
  content_id: string;
  revision: string;
  decision_id: string;
  source: string;
  content_type: string;
  state: string;
  deduplicated: boolean;
  attempt_count: number;
  spent_count: number;
  invalid_count: number;
  waited_ms: number;
  call_group: number;
  alone: boolean;
  effect: string | null;
  failure_code: string | null;
  waits: boolean | null;
};

/** Views on the tables for assertions. */
export function views(db: Queryable) {
  return {
    items: async (runId: string) => (await db.query<ItemView>(ITEMS, [runId])).rows,
    cases: async () => (await db.query(CASES)).rows,
    actions: async () => (await db.query(ACTIONS)).rows,
    content: async () => (await db.query(CONTENT)).rows,
    lineage: async (runId: string) => (await db.query(LINEAGE, [runId])).rows,
  };
}

/** Time passes for the leases: every one that is held has expired. */
export async function expireLeases(db: Queryable): Promise<void> {
  await db.query(EXPIRE_LEASES);
}

/** Time passes for the waits: everything pending is due. */
export async function makeDue(db: Queryable): Promise<void> {
  await db.query(MAKE_DUE);
}

/** A person acts on the current revision of a content item. */
export async function personActs(db: Queryable, contentId: string): Promise<void> {
  await db.query(PERSON_RECORDS, [contentId]);
  await db.query(PERSON_RANKS, [contentId]);
}

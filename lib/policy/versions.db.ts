import { z } from 'zod';
import type { Queryable } from '../db/pool.db.ts';
import { SELECT_VERSION, SELECT_VERSIONS } from './policy.sql.ts';
import { DOCUMENTS, type PolicyDocument } from './schema.ts';

/** A published policy version without its document. */
export type PolicySummary = {
  /** `slug@n`. */
  readonly policyVersion: string;
  readonly slug: string;
  readonly n: number;
  readonly policySha256: string;
  readonly promptSha256: string;
  readonly contract: 'scores' | 'tag' | 'verdict';
  readonly contractVersion: string;
  readonly adapter: string;
  readonly model: string;
  readonly title: string;
  readonly publishedBy: string;
  readonly publishedAt: Date;
};
export type PolicyVersion = PolicySummary & { readonly document: PolicyDocument };

const summaryRow = z
  .object({
    policy_version: z.string(),
    slug: z.string(),
    n: z.int(),
    policy_sha256: z.string(),
    prompt_sha256: z.string(),
    contract: z.enum(['scores', 'tag', 'verdict']),
    contract_version: z.string(),
    adapter: z.string(),
    model: z.string(),
    title: z.string(),
    published_by: z.string(),
    published_at: z.date(),
  })
  .transform(
    (row): PolicySummary => ({
      policyVersion: row.policy_version,
      slug: row.slug,
      n: row.n,
      policySha256: row.policy_sha256,
      promptSha256: row.prompt_sha256,
      contract: row.contract,
      contractVersion: row.contract_version,
      adapter: row.adapter,
      model: row.model,
      title: row.title,
      publishedBy: row.published_by,
      publishedAt: row.published_at,
    }),
  );

/**
 * Reads one published policy version.
 * @param policyVersion `slug@n`, in any other form never found.
 * @returns it with its document, or null.
 */
export async function findPolicy(db: Queryable, policyVersion: string): Promise<PolicyVersion | null> {
  const { rows } = await db.query<{ document: string }>(SELECT_VERSION, [policyVersion]);
  const row = rows[0];
  if (!row) return null;
  // The shape only: a promise between members that is added later must not make an old version unreadable.
  const summary = summaryRow.parse(row);
  return { ...summary, document: DOCUMENTS[summary.contract].parse(JSON.parse(row.document)) };
}

/** @returns all published versions, by slug and number. */
export async function listPolicies(db: Queryable): Promise<PolicySummary[]> {
  const { rows } = await db.query(SELECT_VERSIONS);
  return rows.map((row) => summaryRow.parse(row));
}

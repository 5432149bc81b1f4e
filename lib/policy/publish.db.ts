import { type Actor, writeAudit } from '../audit/audit.db.ts';
import type { Pool } from '../db/pool.db.ts';
import { transact } from '../db/transact.db.ts';
import { never, ok } from '../kernel/result.ts';
import { type ReadablePolicy, type RefusedPolicy, readPolicy } from './document.ts';
import { INSERT_VERSION, LOCK_SLUG, SELECT_SAME_DOCUMENT } from './policy.sql.ts';
import { shippedPolicies } from './shipped.fs.ts';
import { listPolicies } from './versions.db.ts';

export type Published = {
  /** `slug@n`. */
  readonly policyVersion: string;
  /** False where this very document had been published before. */
  readonly published: boolean;
};
export type PublishResult = { readonly ok: true; readonly value: Published } | RefusedPolicy;

/**
 * Act: publishes a policy document as the next version of its slug, for good. The same document again returns the
 * version it has. Audited as `policy.published`.
 * @param text the file's text.
 * @returns the version, or why the document may not be published and where it is wrong.
 */
export async function publishPolicy(
  pool: Pool,
  { text, actor }: { readonly text: string; readonly actor: Actor },
): Promise<PublishResult> {
  const read = readPolicy(text);
  if (!read.ok) return read;
  const result = await transact<Published, never>(pool, async (tx) => {
    const { document, canonical, policySha256, promptSha256 }: ReadablePolicy = read.value;
    await tx.query(LOCK_SLUG, [document.policy]);
    const same = await tx.query<{ policy_version: string }>(SELECT_SAME_DOCUMENT, [document.policy, policySha256]);
    if (same.rows[0]) return ok({ policyVersion: same.rows[0].policy_version, published: false });
    const inserted = await tx.query<{ policy_version: string }>(INSERT_VERSION, [
      document.policy,
      policySha256,
      promptSha256,
      document.contract.kind,
      document.contract_version,
      document.classifier.adapter,
      document.classifier.model,
      document.title,
      canonical,
      actor,
    ]);
    const policyVersion = inserted.rows[0]?.policy_version;
    if (!policyVersion) throw new Error('a policy version was not written');
    await writeAudit(tx, {
      actor,
      kind: 'policy.published',
      subject: `policy:${policyVersion}`,
      data: { policy_sha256: policySha256, prompt_sha256: promptSha256 },
    });
    return ok({ policyVersion, published: true });
  });
  return result.ok ? result : never(result.refusal);
}

/**
 * Publishes the policies that come with the program, which changes nothing where they are there already.
 * @param ours false for a database that somebody runs for themselves: then only where it holds no policy at all.
 * @returns their versions; empty where it was left alone.
 * @throws where a shipped policy is not valid: a bug of ours.
 */
export async function publishShipped(pool: Pool, { ours = true } = {}): Promise<Published[]> {
  if (!ours && (await listPolicies(pool)).length > 0) return [];
  const published: Published[] = [];
  for (const { slug, text } of await shippedPolicies()) {
    const result = await publishPolicy(pool, { text, actor: 'system' });
    if (!result.ok) throw new Error(`the shipped policy ${slug} is refused: ${result.refusal}`);
    published.push(result.value);
  }
  return published;
}

import type { Actor } from '../audit/audit.db.ts';
import type { Tx } from '../db/pool.db.ts';
import { parsePolicyVersion } from '../kernel/keys.ts';
import { GOVERN_WHERE_NONE, LOCK_GOVERNING, SET_GOVERNING } from './governing.sql.ts';

/**
 * Step: reads which policy version governs each of these sources for one slug, and keeps it so until the transaction
 * ends.
 * @returns policy versions `slug@n` by source; a source that none governs is absent.
 */
export async function lockGoverning(tx: Tx, sources: readonly string[], slug: string): Promise<Map<string, string>> {
  if (sources.length === 0) return new Map();
  const { rows } = await tx.query<{ source: string; policy_version: string }>(LOCK_GOVERNING, [
    [...new Set(sources)],
    slug,
  ]);
  return new Map(rows.map((row) => [row.source, row.policy_version]));
}

/** Which version is to govern which sources, and who says so. */
export type Governing = {
  readonly sources: readonly string[];
  /** Written `slug@n`. */
  readonly policyVersion: string;
  readonly actor: Actor;
};

/**
 * Step: makes a policy version govern sources, whatever governed them before. The caller's act audits it.
 * @returns the sources that this changed.
 */
export async function setGoverning(tx: Tx, governing: Governing): Promise<string[]> {
  const { rows } = await tx.query<{ source: string }>(SET_GOVERNING, parameters(governing));
  return rows.map((row) => row.source);
}

/**
 * Step: makes a policy version govern those of the sources that none governs yet, and then reads under lock what
 * governs all of them. Two transactions that do this at once agree: the second waits and sees the first one's choice.
 * @returns the sources that were set now, and the version in force by source, for every source asked.
 */
export async function governWhereNone(
  tx: Tx,
  governing: Governing,
): Promise<{ readonly set: string[]; readonly inForce: Map<string, string> }> {
  const [sources, slug] = parameters(governing);
  const { rows } = await tx.query<{ source: string }>(GOVERN_WHERE_NONE, parameters(governing));
  return { set: rows.map((row) => row.source), inForce: await lockGoverning(tx, sources, slug) };
}

function parameters({ sources, policyVersion, actor }: Governing): [string[], string, string, Actor] {
  const parsed = parsePolicyVersion(policyVersion);
  if (!parsed) throw new Error('a policy version is written slug@n');
  return [[...new Set(sources)], parsed.slug, policyVersion, actor];
}

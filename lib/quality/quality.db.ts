import { z } from 'zod';
import type { Queryable } from '../db/pool.db.ts';
import { ACTION_STATES } from '../enforcement/action-state.ts';
import { labelsOf, scoresRules } from '../policy/schema.ts';
import { findPolicy } from '../policy/versions.db.ts';
import {
  COUNT_BY_LABEL,
  COUNT_BY_VERDICT,
  COUNT_PROPOSALS,
  COUNT_WITHOUT_DECISION,
  DISAGREEMENTS,
  SOURCES,
  USED_VERSIONS,
} from './quality.sql.ts';

/** How moderators answered the proposals that the policy itself made. */
export type Proposals = {
  readonly waiting: number;
  /** Approved, whatever was reversed later. */
  readonly approved: number;
  readonly rejected: number;
  readonly withdrawn: number;
};

/** One label under one policy version. Precision is `named` of `reviewed`, and called "reviewed only". */
export type LabelQuality = {
  readonly label: string;
  readonly support: 'low' | 'normal';
  readonly highImpact: boolean;
  readonly reviewAt: number;
  readonly restrictAt: number | null;
  /** Decisions with its score at or above reviewAt. */
  readonly flagged: number;
  /** Those that a person has reviewed. */
  readonly reviewed: number;
  /** Those whose review names the label. */
  readonly named: number;
  readonly proposals: Proposals;
};

/** What a person said where the machine said `machine`; person null: nobody has reviewed. */
export type Agreement = {
  readonly machine: 'allow' | 'review' | 'restrict';
  readonly person: 'allow' | 'restrict' | null;
  readonly count: number;
};

export type VersionQuality = {
  readonly policyVersion: string;
  readonly decisions: number;
  /** Revisions that were asked about and have no decision. */
  readonly withoutDecision: number;
  readonly agreement: readonly Agreement[];
  /** In the order of the policy. */
  readonly labels: readonly LabelQuality[];
};

const byLabelRow = z.object({ label: z.string(), flagged: z.int(), reviewed: z.int(), named: z.int() });
const byVerdictRow = z.object({
  verdict: z.enum(['allow', 'review', 'restrict']),
  person: z.enum(['allow', 'restrict']).nullable(),
  count: z.int(),
});
const proposalRow = z.object({ label: z.string().nullable(), state: z.enum(ACTION_STATES), count: z.int() });

/**
 * Counts what people said about one policy version.
 * @param source counts only this one; null counts all.
 * @returns null where there is no such version.
 */
export async function versionQuality(
  db: Queryable,
  { policyVersion, source }: { readonly policyVersion: string; readonly source: string | null },
): Promise<VersionQuality | null> {
  const policy = await findPolicy(db, policyVersion);
  if (!policy) return null;
  const values = [policyVersion, source];
  const byLabel = (await db.query(COUNT_BY_LABEL, values)).rows.map((row) => byLabelRow.parse(row));
  const byVerdict = (await db.query(COUNT_BY_VERDICT, values)).rows.map((row) => byVerdictRow.parse(row));
  const proposals = (await db.query(COUNT_PROPOSALS, values)).rows.map((row) => proposalRow.parse(row));
  const without = await db.query<{ count: number }>(COUNT_WITHOUT_DECISION, values);
  return {
    policyVersion,
    decisions: byVerdict.reduce((sum, row) => sum + row.count, 0),
    withoutDecision: without.rows[0]?.count ?? 0,
    agreement: byVerdict.map(({ verdict, person, count }) => ({ machine: verdict, person, count })),
    labels: scoresRules(policy.document).map((rule) => {
      const label = labelsOf(policy.document).find((one) => one.name === rule.label);
      const counted = byLabel.find((row) => row.label === rule.label) ?? { flagged: 0, reviewed: 0, named: 0 };
      return {
        label: rule.label,
        support: label?.support ?? 'normal',
        highImpact: label?.highImpact ?? false,
        reviewAt: rule.reviewAt,
        restrictAt: rule.restrictAt ?? null,
        flagged: counted.flagged,
        reviewed: counted.reviewed,
        named: counted.named,
        proposals: countProposals(proposals.filter((row) => row.label === rule.label)),
      };
    }),
  };
}

function countProposals(rows: readonly z.infer<typeof proposalRow>[]): Proposals {
  const of = (...states: (typeof ACTION_STATES)[number][]): number =>
    rows.reduce((sum, row) => (states.includes(row.state) ? sum + row.count : sum), 0);
  return {
    waiting: of('proposed'),
    approved: of('approved', 'applied', 'reversed'),
    rejected: of('rejected'),
    withdrawn: of('withdrawn'),
  };
}

const disagreementRow = z
  .object({
    content_id: z.string(),
    revision: z.string(),
    machine: z.enum(['allow', 'review', 'restrict']),
    person: z.enum(['allow', 'restrict']),
    labels: z.array(z.string()),
    label: z.string(),
    score: z.number(),
    at: z.date(),
  })
  .transform(({ content_id, ...row }) => ({ ...row, contentId: content_id }));

/** A review that does not name a label the machine had flagged. `labels` are those it names. */
export type Disagreement = Readonly<z.infer<typeof disagreementRow>>;

/** @returns the newest disagreements over one policy version, newest first. */
export async function disagreements(
  db: Queryable,
  one: { readonly policyVersion: string; readonly source: string | null; readonly limit: number },
): Promise<Disagreement[]> {
  const { rows } = await db.query(DISAGREEMENTS, [one.policyVersion, one.source, one.limit]);
  return rows.map((row) => disagreementRow.parse(row));
}

/** What the quality page can be asked for. */
export type QualityChoices = {
  /** Versions that have been run, newest first within a slug. */
  readonly versions: readonly { readonly policyVersion: string; readonly slug: string; readonly title: string }[];
  readonly sources: readonly string[];
};

/** @returns the policy versions and sources there is something to say about. */
export async function qualityChoices(db: Queryable): Promise<QualityChoices> {
  const versions = await db.query<{ policy_version: string; slug: string; title: string }>(USED_VERSIONS);
  const sources = await db.query<{ name: string }>(SOURCES);
  return {
    versions: versions.rows.map((row) => ({ policyVersion: row.policy_version, slug: row.slug, title: row.title })),
    sources: sources.rows.map((row) => row.name),
  };
}

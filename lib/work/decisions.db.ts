import type { Tx } from '../db/pool.db.ts';
import { canonicalJson } from '../kernel/canonical.ts';
import type { Because, Verdict } from '../policy/verdict.ts';
import type { PolicyVersion } from '../policy/versions.db.ts';
import { INSERT_DECISIONS, STANDING_DECISIONS } from './decisions.sql.ts';
import type { Committed } from './fate.ts';
import type { DecisionDraft, HeldItem } from './item-end.ts';

/** An item to be answered: by a draft of its own, or by a decision that stands already. */
export type Answered = { readonly item: HeldItem; readonly draft: DecisionDraft | null };

type Hashes = { textSha256: string; inputSha256: string; promptSha256: string; contractVersion: string };
type StandingRow = {
  decision_id: string;
  text_sha256: string;
  input_sha256: string;
  prompt_sha256: string;
  contract_version: string;
  classification: unknown;
  verdict: Verdict;
  because: Because[];
  now_text_sha256: string;
  now_input_sha256: string;
};

/**
 * Step: inserts decisions. Where the key is taken the standing decision is never touched: with the same hashes it
 * answers this item too, with others the item ends in a conflict of identity.
 * @returns what became of each key.
 */
export async function commitDecisions(
  tx: Tx,
  policy: PolicyVersion,
  answered: readonly Answered[],
): Promise<Map<string, Committed>> {
  const drafts = answered.filter((one): one is Answered & { draft: DecisionDraft } => one.draft !== null);
  const inserted = await insertDecisions(tx, policy.policyVersion, drafts);
  const committed = new Map<string, Committed>();
  for (const { item, draft } of drafts) {
    if (!inserted.has(item.decisionId)) continue;
    const { verdict, because } = draft;
    committed.set(item.decisionId, { kind: 'decision', verdict, because, deduplicated: false, differs: false });
  }
  const rest = answered.filter(({ item }) => !inserted.has(item.decisionId));
  const standing = await standingDecisions(tx, rest);
  for (const { item, draft } of rest) {
    const row = standing.get(item.decisionId);
    committed.set(item.decisionId, row ? compare(row, draft, policy) : { kind: 'missing' });
  }
  return committed;
}

async function insertDecisions(
  tx: Tx,
  policyVersion: string,
  drafts: readonly { readonly item: HeldItem; readonly draft: DecisionDraft }[],
): Promise<Set<string>> {
  if (drafts.length === 0) return new Set();
  const { rows } = await tx.query<{ decision_id: string }>(INSERT_DECISIONS, [
    drafts.map(({ item }) => item.decisionId),
    drafts.map(({ item }) => item.contentId),
    drafts.map(({ item }) => item.revision),
    drafts.map(({ item }) => item.id),
    drafts.map(({ draft }) => draft.textSha256),
    drafts.map(({ draft }) => draft.inputSha256),
    drafts.map(({ draft }) => draft.promptSha256),
    drafts.map(({ draft }) => draft.contractVersion),
    drafts.map(({ draft }) => draft.classifier),
    drafts.map(({ draft }) => draft.model),
    drafts.map(({ draft }) => JSON.stringify(draft.classification)),
    drafts.map(({ draft }) => draft.verdict),
    drafts.map(({ draft }) => JSON.stringify(draft.because)),
    drafts.map(({ draft }) => draft.segments),
    policyVersion,
    drafts.map(({ draft }) => draft.normalised.join(',')),
    drafts.map(({ draft }) => draft.instructed),
  ]);
  return new Set(rows.map((row) => row.decision_id));
}

async function standingDecisions(tx: Tx, answered: readonly Answered[]): Promise<Map<string, StandingRow>> {
  if (answered.length === 0) return new Map();
  const { rows } = await tx.query<StandingRow>(STANDING_DECISIONS, [answered.map(({ item }) => item.decisionId)]);
  return new Map(rows.map((row) => [row.decision_id, row]));
}

function compare(row: StandingRow, draft: DecisionDraft | null, policy: PolicyVersion): Committed {
  const stored: Hashes = {
    textSha256: row.text_sha256,
    inputSha256: row.input_sha256,
    promptSha256: row.prompt_sha256,
    contractVersion: row.contract_version,
  };
  const now: Hashes = draft ?? {
    textSha256: row.now_text_sha256,
    inputSha256: row.now_input_sha256,
    promptSha256: policy.promptSha256,
    contractVersion: policy.contractVersion,
  };
  if (!sameHashes(stored, now)) return { kind: 'conflict' };
  return {
    kind: 'decision',
    verdict: row.verdict,
    because: row.because,
    deduplicated: true,
    differs: draft !== null && canonicalJson(draft.classification) !== canonicalJson(row.classification),
  };
}

function sameHashes(a: Hashes, b: Hashes): boolean {
  return (
    a.textSha256 === b.textSha256 &&
    a.inputSha256 === b.inputSha256 &&
    a.promptSha256 === b.promptSha256 &&
    a.contractVersion === b.contractVersion
  );
}

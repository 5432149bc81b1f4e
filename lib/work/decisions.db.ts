import type { Tx } from '../db/pool.db.ts';
import { canonicalJson } from '../kernel/canonical.ts';
import type { Because, Verdict } from '../policy/verdict.ts';
import type { PolicyVersion } from '../policy/versions.db.ts';
import { INSERT_DECISIONS, STANDING_DECISIONS } from './decisions.sql.ts';
import type { Committed } from './fate.ts';
import type { DecisionDraft, HeldItem } from './item-end.ts';

/** An item to be answered: by a draft of its own, or by a decision that stands already. */
export type Answered = { readonly item: HeldItem; readonly draft: DecisionDraft | null };

type Drafted = Answered & { readonly draft: DecisionDraft };
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
  work_item_id: number;
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
  const drafts = answered.filter((one): one is Drafted => one.draft !== null);
  const inserted = await insertDecisions(tx, policy.policyVersion, drafts);
  // Nearly always all are new, and then nothing needs to be read again.
  const allNew = inserted === drafts.length;
  const standing = await standingDecisions(tx, allNew ? answered.filter(({ draft }) => draft === null) : answered);
  return new Map(
    answered.map(({ item, draft }) => {
      if (allNew && draft) return [item.decisionId, asNew(draft)];
      const row = standing.get(item.decisionId);
      if (!row) return [item.decisionId, { kind: 'missing' }];
      // An item has one decision at most, so that one which names it is the one inserted now.
      return [item.decisionId, draft && row.work_item_id === item.id ? asNew(draft) : compare(row, draft, policy)];
    }),
  );
}

function asNew({ verdict, because }: DecisionDraft): Committed {
  return { kind: 'decision', verdict, because, deduplicated: false, differs: false };
}

/** @returns how many were inserted; for the others a decision stands already. */
async function insertDecisions(tx: Tx, policyVersion: string, drafts: readonly Drafted[]): Promise<number> {
  let inserted = 0;
  for (const group of alike(drafts)) {
    const { rowCount } = await tx.query(INSERT_DECISIONS, [
      policyVersion,
      group[0].draft.promptSha256,
      group[0].draft.contractVersion,
      group[0].draft.classifier,
      group.map(({ item }) => item.decisionId),
      group.map(({ item }) => item.contentId),
      group.map(({ item }) => item.revision),
      group.map(({ item }) => item.id),
      group.map(({ draft }) => draft.textSha256),
      group.map(({ draft }) => draft.inputSha256),
      group.map(({ draft }) => draft.model),
      group.map(({ draft }) => JSON.stringify(draft.classification)),
      group.map(({ draft }) => draft.verdict),
      group.map(({ draft }) => JSON.stringify(draft.because)),
      group.map(({ draft }) => draft.segments),
      group.map(({ draft }) => draft.normalised.join(',')),
      group.map(({ draft }) => draft.instructed),
    ]);
    inserted += rowCount ?? 0;
  }
  return inserted;
}

/** @returns the drafts by what is the same for all of one worker's; so nearly always one group. */
function alike(drafts: readonly Drafted[]): [Drafted, ...Drafted[]][] {
  const groups = new Map<string, [Drafted, ...Drafted[]]>();
  for (const one of drafts) {
    const { promptSha256, contractVersion, classifier } = one.draft;
    const key = `${promptSha256} ${contractVersion} ${classifier}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
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

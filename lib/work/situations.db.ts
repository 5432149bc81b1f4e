import { type LockedContent, personActedOn } from '../content/status.db.ts';
import type { Tx } from '../db/pool.db.ts';
import { inOrder } from '../db/transact.db.ts';
import { activeActions } from '../enforcement/actions.db.ts';
import type { Finding, Situation } from './effect.ts';
import type { HeldItem } from './item-end.ts';
import type { RunMode } from './run-state.ts';
import { INHERITED_STATUS, UNCLOSED_CASES } from './situations.sql.ts';

/** A finding about the revision of one item, whose content the caller has locked. */
export type Found = {
  readonly item: Pick<HeldItem, 'contentId' | 'revision' | 'decisionId'>;
  readonly finding: Finding;
  readonly content: LockedContent;
};
type Ruled = {
  readonly mode: RunMode;
  readonly policyVersion: string;
  readonly withheld: boolean;
  readonly governing: ReadonlyMap<string, string>;
};
type CaseRow = { content_id: string; revision: string; decision_id: string; mode: RunMode };

/**
 * Step: reads what the effects of these findings depend on, under the content locks that keep it so.
 * @returns one situation for each finding, in their order.
 */
export async function readSituations(tx: Tx, found: readonly Found[], ruled: Ruled): Promise<Situation[]> {
  // Only of current revisions: an older one is superseded whoever acted on it, and one item may be here with several.
  const current = found.filter(({ item, content }) => item.revision === content.currentRevision);
  // Plain allows on visible content, the great majority, never need to know who else looks at the item.
  const asking = found.filter((one) => mayWrite(one, ruled.mode)).map(({ content }) => content.contentId);
  const effective = ruled.mode === 'record' ? [] : asking;
  const [acted, inherited, cases, active] = await inOrder(tx, [
    () =>
      personActedOn(
        tx,
        current.map(({ item }) => ({ contentId: item.contentId, revision: item.revision })),
      ),
    () => inheritedStatus(tx, effective),
    () => unclosedCases(tx, asking),
    () => activeActions(tx, effective),
  ]);
  return found.map(({ item, content }): Situation => {
    const unclosed = cases.get(content.contentId) ?? [];
    const action = active.get(content.contentId);
    return {
      mode: ruled.mode,
      governing: governs(ruled, content.source),
      status: content.status,
      isCurrentRevision: content.currentRevision === item.revision,
      personActed: acted.has(content.contentId),
      withheld: ruled.withheld,
      inherited: inherited.has(content.contentId),
      hadEffect: action?.decisionId === item.decisionId || unclosed.some((one) => one.decision_id === item.decisionId),
      recordCase: unclosed.some((one) => one.decision_id === item.decisionId && one.mode === 'record'),
      openCase: unclosed.some((one) => one.revision === content.currentRevision && one.mode !== 'record'),
      activeAction: action !== undefined,
    };
  });
}

function mayWrite({ finding, content }: Found, mode: RunMode): boolean {
  if (finding.kind === 'exception' || finding.verdict !== 'allow') return true;
  return mode !== 'record' && content.status !== 'published';
}

function governs({ policyVersion, governing }: Ruled, source: string): Situation['governing'] {
  const version = governing.get(source);
  if (version === undefined) return 'none';
  return version === policyVersion ? 'this' : 'other';
}

async function inheritedStatus(tx: Tx, contentIds: readonly string[]): Promise<Set<string>> {
  if (contentIds.length === 0) return new Set();
  const { rows } = await tx.query<{ content_id: string }>(INHERITED_STATUS, [contentIds]);
  return new Set(rows.map((row) => row.content_id));
}

async function unclosedCases(tx: Tx, contentIds: readonly string[]): Promise<Map<string, CaseRow[]>> {
  if (contentIds.length === 0) return new Map();
  const { rows } = await tx.query<CaseRow>(UNCLOSED_CASES, [contentIds]);
  const byContent = new Map<string, CaseRow[]>();
  for (const row of rows) byContent.set(row.content_id, [...(byContent.get(row.content_id) ?? []), row]);
  return byContent;
}

import { randomUUID } from 'node:crypto';
import type { Role } from '../../access/roles.ts';
import { changeStatuses, type LockedContent, lockContent } from '../../content/status.db.ts';
import type { ContentStatus, StatusState } from '../../content/status.ts';
import type { Pool, Tx } from '../../db/pool.db.ts';
import { transact } from '../../db/transact.db.ts';
import { proposeActions } from '../../enforcement/actions.db.ts';
import { decisionId } from '../../kernel/keys.ts';
import { ok, type Result } from '../../kernel/result.ts';
import { publishPolicy } from '../../policy/publish.db.ts';
import type { CaseKind, CaseMode } from '../case-state.ts';
import { openCases } from '../cases.db.ts';
import { claimCase } from '../claim.db.ts';
import type { ReviewVerdict } from '../judge.ts';
import { type Settled, settleSubmission } from '../settle.db.ts';
import { submitReview } from '../submit.db.ts';
import {
  ADD_DECISION,
  ADD_ITEM,
  ADD_REVISION,
  ADD_SOURCE,
  ADD_TEXT,
  ADD_USER,
  EXPIRE_CLAIM,
  ITEM_STATE,
  MAKE_CURRENT,
  MAKE_DUE,
  SET_ENFORCEMENT,
  SET_ROLE,
} from './desk.sql.ts';

/** A small desk to test on: people, a policy and content items with cases, made by short calls. */

export const POLICY = 'desk-test@1';

const label = (name: string) => ({ name, definition: `What ${name} is.`, examples: ['is'], not_examples: ['is not'] });
const POLICY_TEXT = JSON.stringify({
  policy: 'desk-test',
  title: 'A policy for tests',
  purpose: 'To test the desk.',
  contract: { kind: 'scores', labels: [label('harassment'), label('hate'), label('spam')] },
  contract_version: 'scores/1',
  classifier: { adapter: 'builtin', model: 'model' },
  rules: [
    { label: 'harassment', reviewAt: 0.4, restrictAt: 0.8, action: 'hide' },
    { label: 'hate', reviewAt: 0.4, restrictAt: 0.8, action: 'limit' },
    { label: 'spam', reviewAt: 0.4, restrictAt: 0.8, action: 'label' },
  ],
  reasons: [
    { code: 'insult', text: 'It insults a person' },
    { code: 'advert', text: 'It advertises' },
  ],
});

/** Publishes the policy POLICY and makes the sources `backfill`, `live` and `documents`. */
export async function setUpDesk(pool: Pool): Promise<void> {
  const published = await publishPolicy(pool, { text: POLICY_TEXT, actor: 'cli' });
  if (!published.ok) throw new Error(`the policy of the tests is refused: ${JSON.stringify(published.faults)}`);
  for (const kind of ['backfill', 'live', 'documents']) await pool.query(ADD_SOURCE, [kind, kind]);
}

/** @returns the id of a new person. */
export async function addUser(pool: Pool, role: Role): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(ADD_USER, [`${role}-${randomUUID()}@docket.example`, role]);
  if (!rows[0]) throw new Error('no user');
  return rows[0].id;
}

export async function setRole(pool: Pool, userId: string, role: Role): Promise<void> {
  await pool.query(SET_ROLE, [userId, role]);
}

export async function setEnforcement(pool: Pool, source: string, open: boolean): Promise<void> {
  await pool.query(SET_ENFORCEMENT, [source, open]);
}

export type Item = { readonly contentId: string; readonly source: string };

/** A content item with revision '1' as a machine's hold would leave it: pending, published or held, rank policy. */
export async function addItem(
  pool: Pool,
  { source = 'backfill', status = 'held' }: { source?: string; status?: 'pending' | 'published' | 'held' } = {},
): Promise<Item> {
  const contentId = `c-${randomUUID()}`;
  await pool.query(ADD_ITEM, [contentId, source, status]);
  await pool.query(ADD_REVISION, [contentId, '1']);
  await pool.query(ADD_TEXT, [contentId, '1', 'A text.']);
  return { contentId, source };
}

/** A newer revision arrives. */
export async function arrive(pool: Pool, item: Item, revision: string): Promise<void> {
  await pool.query(ADD_REVISION, [item.contentId, revision]);
  await pool.query(ADD_TEXT, [item.contentId, revision, 'Another text.']);
  await pool.query(MAKE_CURRENT, [item.contentId, revision]);
}

export type CaseWish = {
  readonly revision?: string;
  readonly policyVersion?: string;
  readonly mode?: CaseMode;
  readonly kind?: CaseKind;
  readonly tier?: 'reviewer' | 'moderator';
};

/** A case of the item, with its decision row where it is one of a decision. @returns the case's id. */
export async function addCase(pool: Pool, item: Item, wish: CaseWish = {}): Promise<string> {
  const { revision = '1', policyVersion = POLICY, mode = 'hold', kind = 'decision', tier = 'reviewer' } = wish;
  const key = decisionId(item.contentId, revision, policyVersion);
  const because = [{ label: 'harassment', score: 0.7, threshold: 0.4, rule: 'reviewAt' }];
  if (kind === 'decision') {
    const values = [key, item.contentId, revision, policyVersion, 'review', JSON.stringify(because)];
    await pool.query(ADD_DECISION, values);
  }
  const ids = await inTransaction(pool, (tx) =>
    openCases(tx, [
      {
        kind,
        mode,
        content: { ...item, contentType: 'comment' },
        revision,
        decisionId: key,
        policyVersion,
        runId: null,
        reasonCode: kind === 'decision' ? 'review' : 'timeout',
        label: kind === 'decision' ? 'harassment' : null,
        score: kind === 'decision' ? 0.7 : null,
        openedBy: `policy:${policyVersion}`,
        tier,
      },
    ]),
  );
  if (!ids[0]) throw new Error('no case');
  return ids[0];
}

/** A proposal by the policy, as a machine's restrict makes it. @returns the action's id. */
export async function addProposal(
  pool: Pool,
  item: Item,
  { policyVersion = POLICY, revision = '1', by = `policy:${POLICY}` as const, status = 'held' as ContentStatus } = {},
): Promise<string> {
  const key = decisionId(item.contentId, revision, policyVersion);
  const because = [{ label: 'hate', score: 0.9, threshold: 0.8, rule: 'restrictAt' }];
  const values = [key, item.contentId, revision, policyVersion, 'restrict', JSON.stringify(because)];
  await pool.query(ADD_DECISION, values);
  return inTransaction(pool, async (tx) => {
    const content = await locked(tx, item);
    if (content.status !== status) throw new Error(`the item is ${content.status}`);
    const wish = { decisionId: key, policyVersion, action: 'limit' as const, label: 'hate', reasonCode: null };
    const [id] = await proposeActions(tx, [{ content, ...wish, proposedBy: by }]);
    if (!id) throw new Error('no proposal');
    return id;
  });
}

/** Puts the item into any state, by the one step that writes states. */
export async function putStatus(
  pool: Pool,
  item: Item,
  next: StatusState,
  actor: 'system' | `user:${string}` = 'system',
) {
  await inTransaction(pool, async (tx) => {
    const content = await locked(tx, item);
    await changeStatuses(tx, [
      {
        content,
        next,
        actor,
        reason: 'test',
        answers: null,
        decisionId: decisionId(item.contentId, content.currentRevision, POLICY),
        event: 'content.reviewed',
      },
    ]);
  });
}

export async function stateOf(pool: Pool, item: Item): Promise<StatusState & { version: number }> {
  const { rows } = await pool.query<StatusState & { version: number }>(ITEM_STATE, [item.contentId]);
  if (!rows[0]) throw new Error('no item');
  return rows[0];
}

/** The submission's six seconds are over. */
export async function makeDue(pool: Pool, submissionId: string): Promise<void> {
  await pool.query(MAKE_DUE, [submissionId]);
}

export async function expireClaim(pool: Pool, caseId: string): Promise<void> {
  await pool.query(EXPIRE_CLAIM, [caseId]);
}

/** The value of a success; a refusal fails the test with its name. */
export function value<T>(result: Result<T, string>): T {
  if (!result.ok) throw new Error(`refused: ${result.refusal} ${JSON.stringify(result.detail ?? {})}`);
  return result.value;
}

/** The name of a refusal, or 'ok'. */
export function refusal(result: Result<unknown, string>): string {
  return result.ok ? 'ok' : result.refusal;
}

export type Words = {
  readonly verdict: ReviewVerdict;
  readonly labels?: readonly string[];
  readonly reasonCode?: string | null;
  readonly note?: string | null;
  readonly revision?: string;
};

/** Claims a case and sends a review that is not due yet. @returns what is needed to go on. */
export async function send(pool: Pool, caseId: string, userId: string, words: Words) {
  const { token } = value(await claimCase(pool, { caseId, userId }));
  const submitted = await submitReview(pool, { caseId, token, userId, ...said(words) });
  return { token, submissionId: value(submitted).submissionId };
}

/** What is sent, with a reason where one is due. */
export function said(words: Words) {
  return {
    verdict: words.verdict,
    labels: words.labels ?? [],
    reasonCode: words.reasonCode === undefined ? (words.verdict === 'restrict' ? 'insult' : null) : words.reasonCode,
    note: words.note ?? null,
    revision: words.revision ?? '1',
  };
}

/** A whole review: claimed, sent, due, settled. */
export async function review(pool: Pool, caseId: string, userId: string, words: Words): Promise<Settled> {
  const { submissionId } = await send(pool, caseId, userId, words);
  await makeDue(pool, submissionId);
  return settleSubmission(pool, submissionId);
}

export async function inTransaction<T>(pool: Pool, act: (tx: Tx) => Promise<T>): Promise<T> {
  return value(await transact<T, never>(pool, async (tx) => ok(await act(tx))));
}

async function locked(tx: Tx, item: Item): Promise<LockedContent> {
  const content = (await lockContent(tx, [item.contentId])).get(item.contentId);
  if (!content) throw new Error('no item');
  return content;
}

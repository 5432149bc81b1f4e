import 'server-only';
import type { User } from '@/lib/access/users.db.ts';
import type { ApprovalView } from '@/lib/enforcement/approval-view.db.ts';
import { approvalView } from '@/lib/enforcement/approval-view.db.ts';
import type { ItemView } from '@/lib/enforcement/item-view.db.ts';
import { labelsOf, scoresRules } from '@/lib/policy/schema.ts';
import type { PolicyVersion } from '@/lib/policy/versions.db.ts';
import { type CaseView, caseView } from '@/lib/review/case-view.db.ts';
import { readDraft } from '@/lib/review/drafts.db.ts';
import { mayReview } from '@/lib/review/judge.ts';
import { NO_POLICY_REASONS } from '@/lib/review/reasons.ts';
import { db } from './db.ts';
import { type Json, toJson } from './json.ts';

/** The part of a policy version that a reviewer works with: no prompt, no settings of the classifier. */
function desk(policy: PolicyVersion | null) {
  return {
    policyVersion: policy?.policyVersion ?? null,
    title: policy?.title ?? null,
    purpose: policy?.document.purpose ?? null,
    labels: policy ? labelsOf(policy.document) : [],
    rules: policy ? scoresRules(policy.document) : [],
    reasons: policy?.document.reasons ?? NO_POLICY_REASONS,
  };
}

export type DeskPolicy = Json<ReturnType<typeof desk>>;
export type ItemJson = Json<Omit<ItemView, 'policy'>> & { readonly policy: DeskPolicy };

export type CaseJson = Json<Omit<CaseView, 'view'>> & {
  readonly view: ItemJson;
  readonly draft: string | null;
  readonly me: { readonly id: string; readonly name: string };
};

/**
 * @returns the case as its page shows it to this person, with what they were writing; null where there is no such case.
 * A person who may not review its tier gets null too.
 */
export async function caseJson(user: User, caseId: string): Promise<CaseJson | null> {
  const found = await caseView(db(), caseId);
  if (!found || !mayReview(user.role, found.case.tier)) return null;
  const draft = await readDraft(db(), { caseId, userId: user.id });
  return toJson({
    ...found,
    view: { ...found.view, policy: desk(found.view.policy) },
    draft: draft?.text ?? null,
    me: { id: user.id, name: user.name },
  });
}

export type ApprovalJson = Json<Omit<ApprovalView, 'view'>> & {
  readonly view: ItemJson;
  readonly me: { readonly id: string };
};

/** @returns an action as its page shows it; null where there is none. */
export async function approvalJson(user: User, actionId: string): Promise<ApprovalJson | null> {
  const found = await approvalView(db(), actionId);
  if (!found) return null;
  return toJson({ ...found, view: { ...found.view, policy: desk(found.view.policy) }, me: { id: user.id } });
}

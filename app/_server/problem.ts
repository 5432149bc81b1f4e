import 'server-only';
import { findUser } from '@/lib/access/users.db.ts';
import type { Detail, Refused } from '@/lib/kernel/result.ts';
import { db } from './db.ts';

/** Refusals in words. Rooms answer with codes; only here do they become sentences and status codes. */

type Words = { readonly status: number; readonly title: string; readonly detail: string };

const KEPT = 'What you wrote is kept.';

const WORDS: Readonly<Record<string, Words>> = {
  // Of the border
  bad_origin: {
    status: 403,
    title: 'This request did not come from the desk',
    detail: 'It was refused, and nothing was changed. Open the desk by its own address.',
  },
  not_signed_in: { status: 401, title: 'You are signed out', detail: 'Sign in again; what you wrote is kept here.' },
  not_allowed: { status: 403, title: 'Your role may not do this', detail: 'Nothing was changed.' },
  not_json: { status: 415, title: 'Only JSON is taken here', detail: 'Nothing was changed.' },
  too_large: { status: 413, title: 'That is too much at once', detail: 'Nothing was changed.' },
  invalid: { status: 400, title: 'Something in it is not right', detail: 'Nothing was changed.' },
  not_found: { status: 404, title: 'There is no such thing here', detail: 'It may have been removed.' },

  // Of a case
  queue_empty: { status: 409, title: 'Nothing is waiting', detail: 'Every case in this queue is taken or decided.' },
  claim_limit: {
    status: 409,
    title: 'You hold another case',
    detail: 'Decide it or give it back first; a case is read one at a time.',
  },
  claimed_by_other: {
    status: 409,
    title: 'Someone else is reading this case',
    detail: 'It comes back to the queue if they leave it.',
  },
  claim_lost: {
    status: 409,
    title: 'You no longer hold this case',
    detail: `This changed nothing. ${KEPT}`,
  },
  already_decided: {
    status: 409,
    title: 'This was decided meanwhile',
    detail: `What was decided stands, and this changed nothing. ${KEPT}`,
  },
  stale_revision: {
    status: 409,
    title: 'A newer revision has arrived',
    detail: `What you read is no longer what people see, so nothing was decided. ${KEPT}`,
  },
  outranked: {
    status: 409,
    title: 'Someone with more authority has decided on this',
    detail: `Only an equal or higher role may change it. ${KEPT} You can escalate the case.`,
  },
  removed: { status: 409, title: 'This was deleted at its source', detail: 'There is nothing left to decide.' },
  role_changed: {
    status: 409,
    title: 'Your role may not do this',
    detail: `It is for another role, or yours has changed. ${KEPT}`,
  },
  reason_required: { status: 409, title: 'A reason is due', detail: 'Choose one; the note is optional.' },
  unknown_reason: {
    status: 409,
    title: 'That reason is not in this policy',
    detail: 'Reload the page and choose again.',
  },
  unknown_label: {
    status: 409,
    title: 'That label is not in this policy',
    detail: 'Reload the page and choose again.',
  },
  not_yours: { status: 409, title: 'That is not yours', detail: 'Nothing was changed.' },

  // Of an action and a record
  own_proposal: {
    status: 409,
    title: 'You proposed this yourself',
    detail: 'Someone else has to decide on it: every restriction passes two pairs of eyes.',
  },
  newer_record: {
    status: 409,
    title: 'Something newer has happened to this',
    detail: 'Only the newest record can be reversed. Reload to see it.',
  },
  enforcement_closed: {
    status: 409,
    title: 'Enforcement is switched off for this source',
    detail: 'What was restricted cannot come back until it is switched on.',
  },
  // Of a run
  unknown_run: { status: 404, title: 'There is no such run', detail: 'Nothing was changed.' },
  wrong_state: {
    status: 409,
    title: 'The run is no longer in that state',
    detail: 'Nothing was changed. What you see now is its present state.',
  },
  ceiling_below_projection: {
    status: 409,
    title: 'The ceiling is below what the run will probably use',
    detail: 'Nothing was started. Give it more, or say that it may pause on the way.',
  },
  at_ceiling: {
    status: 409,
    title: 'That ceiling is used up already',
    detail: 'The run would stop again at once. Give it a higher one.',
  },
  already_reversed: { status: 409, title: 'This was reversed already', detail: 'Nothing was changed.' },
};

const UNKNOWN: Words = { status: 409, title: 'This was refused', detail: 'Nothing was changed.' };

/**
 * @returns an RFC 9457 problem document for a refusal, with its code as `refusal` and its facts. Where the facts say who
 * stands in the way, the sentence says their name.
 */
export async function problem(refusal: string, facts?: Detail): Promise<Response> {
  const words = WORDS[refusal] ?? UNKNOWN;
  const told = facts ? await withNames(facts) : undefined;
  return Response.json(
    {
      type: `about:blank#${refusal}`,
      title: words.title,
      status: words.status,
      refusal,
      detail: [told && happened(refusal, told), words.detail].filter(Boolean).join(' '),
      ...(told ? { facts: told } : {}),
    },
    { status: words.status, headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' } },
  );
}

/** @returns a refusal's title and sentence alone, for one that is told later than it happened. */
export function wordsOf(refusal: string): {
  readonly refusal: string;
  readonly title: string;
  readonly detail: string;
} {
  const { title, detail } = WORDS[refusal] ?? UNKNOWN;
  return { refusal, title, detail };
}

/** @returns the problem document of an act that was refused. */
export function refusalProblem(refusal: Refused<string>): Promise<Response> {
  return problem(refusal.refusal, refusal.detail);
}

async function withNames(facts: Detail): Promise<Detail> {
  if (typeof facts.by !== 'string') return facts;
  const user = await findUser(db(), facts.by.replace(/^user:/, ''));
  return { ...facts, by_name: user?.name ?? null };
}

const CLOSED_AS: Readonly<Record<string, string>> = {
  superseded: 'It was closed because a newer revision arrived.',
  withdrawn: 'It was withdrawn because the content was deleted.',
  requeued: 'It was sent through the classifier again.',
};
const STATE: Readonly<Record<string, string>> = {
  applied: 'approved it, and it is applied.',
  approved: 'approved it.',
  rejected: 'rejected it.',
  reversed: 'reversed it.',
};

/** Who did what, as far as the facts tell. */
function happened(refusal: string, facts: Detail): string | null {
  const name = typeof facts.by_name === 'string' ? facts.by_name : null;
  if (refusal === 'claimed_by_other') return name && `${name} has claimed it.`;
  if (refusal === 'claim_lost') {
    if (facts.state === 'expired') return 'Five minutes passed without a sign of this page.';
    return name ? `${name} has claimed it since, perhaps in another tab.` : 'It went back to the queue.';
  }
  if (refusal !== 'already_decided') return null;
  if (typeof facts.closed_as === 'string' && CLOSED_AS[facts.closed_as]) return CLOSED_AS[facts.closed_as] ?? null;
  if (facts.state === 'submitted') return name && `${name} has just sent a decision.`;
  if (name && typeof facts.verdict === 'string') return `${name} decided ${facts.verdict}.`;
  const deed = STATE[String(facts.state)];
  return name && deed ? `${name} ${deed}` : null;
}

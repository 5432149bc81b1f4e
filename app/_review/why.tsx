import type { ReactNode } from 'react';
import { ESCALATION_REASONS } from '@/lib/review/reasons.ts';
import type { CaseJson } from '../_server/case-json.ts';
import { Age } from '../_ui/now.tsx';
import { StrangerText } from '../_ui/stranger-text.tsx';
import { Verdict } from '../_ui/verdict.tsx';
import { reasonShort, thresholdText, whyShort } from '../_ui/words.ts';
import { failureWords } from './provenance.tsx';

/** Why a case is here, in words and first of all: a person who knows it reads the text with the right question. */
export function Why({ found, headingId }: { found: CaseJson; headingId: string }) {
  const facts = found.case;
  const { mark } = whyShort(facts);
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-1 border-b border-line pb-3">
      <p className="label">Why it is here</p>
      <h1 id={headingId} tabIndex={-1} className="flex flex-wrap items-baseline gap-x-2 text-title">
        <Verdict mark={mark} word={facts.kind === 'exception' ? 'no machine opinion' : mark} />
        <span>{headline(found)}</span>
      </h1>
      <p className="max-w-[80ch]">{explanation(found)}</p>
      <Escalation found={found} />
      {facts.mode === 'record' && (
        <p className="max-w-[80ch] text-muted">
          This run only records. What you decide is compared with the machine; nothing changes for the public.
        </p>
      )}
      <p className="flex flex-wrap gap-x-3 text-small text-muted">
        {facts.policyVersion !== 'none@0' && <span className="code">{facts.policyVersion}</span>}
        {found.view.decision && (
          <span className="code" title={found.view.decision.model}>
            {found.view.decision.classifier}:{found.view.decision.model.slice(0, 8)}
          </span>
        )}
        {facts.runName && <span>run {facts.runName}</span>}
        <span>
          waiting for <Age at={facts.openedAt} />
        </span>
      </p>
    </section>
  );
}

/** The strongest reason, named with its figures. */
function headline({ case: facts, view }: CaseJson): string {
  const first = view.decision?.because[0];
  if (facts.kind === 'exception') return '';
  if (!first) return whyShort(facts).words;
  const others = (view.decision?.because.length ?? 1) - 1;
  return `${reasonShort(first)}${others > 0 ? ` and ${others} more` : ''}`;
}

function explanation({ case: facts, view }: CaseJson): ReactNode {
  if (facts.kind === 'exception') {
    return `${failureWords(view, facts.reasonCode)} No machine opinion exists: judge the text alone.`;
  }
  switch (facts.reasonCode) {
    case 'allow_on_held':
      return 'The policy would allow this revision, but the content was held or restricted before. Only a person lifts that.';
    case 'back_to_review':
      return 'A moderator rejected the restriction that was proposed and sent the case back to be looked at again.';
    case 'cancelled':
      return 'Its run was cancelled before what the machine decided could take effect. Until somebody decides, it is not public.';
    case 'reversal':
      return 'The owner reversed an earlier decision. Until somebody decides anew, the content is held back.';
    default:
      return machineReason(view);
  }
}

function machineReason(view: CaseJson['view']): string {
  const because = view.decision?.because ?? [];
  const instructed = because.some((one) => one.rule === 'instruction');
  const first = because.find((one) => one.rule !== 'instruction');
  return [first ? reasonSentence(first, view) : '', instructed ? INSTRUCTED : ''].filter(Boolean).join(' ');
}

const INSTRUCTED =
  'Something in the text, title, name or context speaks to whoever classifies it. Such content always goes to a person: judge it as if the machine had said nothing.';

function reasonSentence(
  first: NonNullable<CaseJson['view']['decision']>['because'][number],
  view: CaseJson['view'],
): string {
  switch (first.rule) {
    case 'tag':
      return `The classifier tagged it ${first.label}, and the policy shows this tag to a person.`;
    case 'segments_differ':
      return `It was read in parts, and not every part got the same tag: one is ${first.label}.`;
    case 'word':
      return first.label === 'SPAM'
        ? 'The classifier answered SPAM.'
        : `The classifier answered ${first.label}, and the policy sends that to a person.`;
    default:
      return thresholds(view);
  }
}

function thresholds({ decision, policy }: CaseJson['view']): string {
  const first = decision?.because[0];
  const rule = policy.rules.find((one) => one.label === first?.label);
  if (!first || !rule) return 'The policy sends this to a person.';
  if (first.rule === 'not_evaluated') {
    return `The classifier did not evaluate ${first.label}, and what was not evaluated is never taken for harmless.`;
  }
  const from = `The policy asks a person from ${thresholdText(rule.reviewAt)}`;
  if (rule.restrictAt === undefined) return `${from}, and proposes nothing by itself for this label.`;
  return first.rule === 'restrictAt'
    ? `${from} and proposes "${rule.action}" from ${thresholdText(rule.restrictAt)}, which this score reaches.`
    : `${from} and proposes "${rule.action}" from ${thresholdText(rule.restrictAt)}.`;
}

function Escalation({ found }: { found: CaseJson }) {
  const event = found.events.findLast((one) => one.kind === 'escalated');
  if (found.case.tier !== 'moderator' || !event) return null;
  const reason = ESCALATION_REASONS.find((one) => one.code === found.case.escalationReason);
  return (
    <div className="max-w-[80ch] border-l-2 border-accent pl-3">
      <p>
        {event.actorName ?? 'A reviewer'} escalated it: {reason?.text ?? found.case.escalationReason}.
      </p>
      {event.note && <StrangerText text={event.note} className="text-muted" />}
    </div>
  );
}

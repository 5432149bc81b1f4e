'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { NoteField } from '@/app/_review/note-field.tsx';
import { focusReason, ReasonField } from '@/app/_review/reason-field.tsx';
import type { ApprovalJson } from '@/app/_server/case-json.ts';
import { useAnnounce } from '@/app/_shell/announce.tsx';
import { Button } from '@/app/_ui/button.tsx';
import { contentPath } from '@/app/_ui/content-address.ts';
import { act, type Problem, read } from '@/app/_ui/desk-api.ts';
import { Dialog } from '@/app/_ui/dialog.tsx';
import { useShortcut } from '@/app/_ui/keyboard.tsx';
import { Notice } from '@/app/_ui/states.tsx';
import { Shape, Verdict } from '@/app/_ui/verdict.tsx';
import { actionWords } from '@/app/_ui/words.ts';
import { REJECTION_REASONS } from '@/lib/review/reasons.ts';

type Way = 'approve' | 'release' | 'back-to-review';
type List = { readonly items: readonly { readonly actionId: string; readonly proposedBy: string }[] };

/** Approve or reject; never one's own proposal, which is said and not just greyed. */
export function ApprovalDecide({ found }: { found: ApprovalJson }) {
  const { approval, view, me } = found;
  const own = approval.proposedBy === `user:${me.id}`;
  const { send, busy, problem } = useDecision(found);
  const [rejecting, setRejecting] = useState(false);
  const open = approval.state === 'proposed' && view.newerRevision === null;
  useShortcut(open && !own ? 'a' : null, 'Approve', () => void send('approve', {}));
  useShortcut(open && !own ? 'r' : null, 'Reject, with a reason', () => setRejecting(true));
  if (!open) return <Ended found={found} />;
  return (
    <div className="flex flex-col gap-3">
      {problem && !rejecting && (
        <Notice kind="problem" title={problem.title}>
          {problem.detail}
        </Notice>
      )}
      {own && (
        <Notice title="You proposed this yourself">
          Every restriction passes two pairs of eyes: another moderator or the owner decides on it.
        </Notice>
      )}
      <div className="grid grid-cols-2 gap-2 max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-20 max-md:border-t max-md:border-line max-md:bg-surface max-md:px-4 max-md:pt-2 max-md:pb-[max(8px,env(safe-area-inset-bottom))]">
        <Button kind="restrict" hint="a" disabled={own || busy} onClick={() => void send('approve', {})}>
          <Shape mark="restrict" /> Approve: {approval.action}
        </Button>
        <Button hint="r" disabled={own || busy} onClick={() => setRejecting(true)}>
          Reject…
        </Button>
      </div>
      <RejectDialog open={rejecting} onOpenChange={setRejecting} send={send} busy={busy} problem={problem} />
    </div>
  );
}

function useDecision({ approval, view, me }: ApprovalJson) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const queries = useQueryClient();
  const router = useRouter();
  const announce = useAnnounce();
  const send = async (way: Way, body: object) => {
    setBusy(true);
    setProblem(null);
    const sent = { revision: approval.revision, ...body };
    const answer = await act<{ state?: string }>(`/api/desk/approvals/${approval.actionId}/${way}`, sent);
    setBusy(false);
    await queries.invalidateQueries();
    if (!answer.ok) {
      setProblem(answer.problem);
      return;
    }
    announce(doneWords(way, approval.action, answer.value.state === 'applied'), contentPath(view.item.contentId));
    const next = await read<List>('/api/desk/approvals').catch(() => ({ items: [] }));
    const more = next.items.find((item) => item.proposedBy !== `user:${me.id}`);
    router.push(more ? `/approvals/${more.actionId}` : '/approvals');
  };
  return { send, busy, problem };
}

function doneWords(way: Way, action: string, applied: boolean): string {
  if (way === 'release') return 'Rejected, and the content is public.';
  if (way === 'back-to-review') return 'Rejected, and sent back to review.';
  return applied
    ? `Approved: the content is now ${actionWords(action)}.`
    : 'Approved; it is applied once enforcement is on.';
}

type RejectProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  send: (way: Way, body: object) => Promise<void>;
  busy: boolean;
  problem: Problem | null;
};

function RejectDialog({ open, onOpenChange, send, busy, problem }: RejectProps) {
  const [reason, setReason] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const [tried, setTried] = useState(false);
  const field = useRef<HTMLFieldSetElement>(null);
  const reject = (way: Way) => {
    setTried(true);
    if (reason === null) focusReason(field.current);
    else void send(way, { reasonCode: reason, note: note === '' ? null : note });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Reject this proposal"
      description="The proposer sees your reason on the timeline."
    >
      {problem && (
        <Notice kind="problem" title={problem.title}>
          {problem.detail}
        </Notice>
      )}
      <ReasonField
        ref={field}
        legend="Why"
        reasons={REJECTION_REASONS}
        value={reason}
        onChange={setReason}
        due={tried && reason === null}
      />
      <NoteField value={note} onChange={setNote} />
      <div className="grid grid-cols-2 gap-2">
        <Button kind="allow" disabled={busy} onClick={() => reject('release')}>
          <Shape mark="allow" /> Release
        </Button>
        <Button disabled={busy} onClick={() => reject('back-to-review')}>
          <Shape mark="review" /> Back to review
        </Button>
      </div>
      <p className="text-small text-muted">
        Release makes the content public. Back to review asks a reviewer again; until then it stays as it is.
      </p>
    </Dialog>
  );
}

/** Who decided it meanwhile, and how it ended. */
function Ended({ found: { approval, view } }: { found: ApprovalJson }) {
  if (approval.state === 'proposed' && view.newerRevision) return null;
  const by = approval.deciderName ?? 'The system';
  const words: Record<string, string> = {
    approved: `${by} approved it. It is applied once enforcement is on for this source.`,
    applied: `${by} approved it, and it is applied.`,
    rejected: `${by} rejected it${approval.closedAs === 'released' ? ' and released the content' : ' and sent it back to review'}.`,
    reversed: 'It was applied, and has been reversed since.',
    withdrawn: 'It was withdrawn, as something newer took its place.',
  };
  return (
    <div className="flex items-baseline gap-2">
      <Verdict
        mark={approval.state === 'applied' || approval.state === 'approved' ? 'restrict' : 'pending'}
        word={approval.state}
      />
      <p>{words[approval.state]}</p>
    </div>
  );
}

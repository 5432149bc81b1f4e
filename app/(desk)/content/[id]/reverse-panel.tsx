'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useRef, useState } from 'react';
import { NoteField } from '@/app/_review/note-field.tsx';
import { focusReason, ReasonField } from '@/app/_review/reason-field.tsx';
import { useAnnounce } from '@/app/_shell/announce.tsx';
import { Button } from '@/app/_ui/button.tsx';
import { act, type Problem } from '@/app/_ui/desk-api.ts';
import { Dialog } from '@/app/_ui/dialog.tsx';
import { Notice } from '@/app/_ui/states.tsx';
import { Verdict } from '@/app/_ui/verdict.tsx';
import { statusWords } from '@/app/_ui/words.ts';
import { REVERSAL_REASONS } from '@/lib/review/reasons.ts';
import type { ReversalOffer } from './reversal-offer.ts';

const REFUSED: Readonly<Record<string, string>> = {
  removed: 'It was deleted at its source. Nothing brings that back.',
  newer_record: 'Something newer has happened since. Reload to see it.',
  already_reversed: 'The newest record was reversed already.',
  enforcement_closed: 'What was restricted cannot come back while enforcement is switched off for this source.',
};

/** The owner's way back through the newest record: what it would restore is shown before it is asked for. */
export function ReversePanel({ contentId, offer }: { contentId: string; offer: ReversalOffer }) {
  const [open, setOpen] = useState(false);
  if (offer.kind === 'none') return <p className="text-muted">Nothing to reverse: its status has never changed.</p>;
  if (offer.kind === 'refused') return <p className="text-muted">Cannot be reversed. {REFUSED[offer.refusal]}</p>;
  return (
    <section aria-labelledby="reverse" className="border-t border-line pt-3">
      <h2 id="reverse" className="label">
        Reverse
      </h2>
      <Preview offer={offer} />
      <Button className="mt-2" onClick={() => setOpen(true)}>
        Reverse record {offer.version}…
      </Button>
      <ReverseDialog contentId={contentId} offer={offer} open={open} onOpenChange={setOpen} />
    </section>
  );
}

type Offer = Extract<ReversalOffer, { kind: 'offer' }>;

const ACTIONS: Readonly<Record<string, string>> = {
  reverse: 'The restriction that is applied ends.',
  withdraw: 'The proposal that stands is withdrawn.',
  reinstate: 'The restriction that was reversed is applied again.',
};

function Preview({ offer }: { offer: Offer }) {
  const now = statusWords(offer.now.status, offer.now.action);
  const next = statusWords(offer.next.status, offer.next.action);
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2">
      <Verdict mark={now.mark} word={now.words} /> <span aria-hidden="true">→</span>{' '}
      <span className="sr-only">becomes</span>
      <Verdict mark={next.mark} word={next.words} />
      <span className="text-muted">
        {ACTIONS[offer.action]}
        {offer.next.status === 'held' &&
          ' Where nobody is asked yet, a case is opened for the moderators or reviewers.'}
      </span>
    </p>
  );
}

type DialogProps = { contentId: string; offer: Offer; open: boolean; onOpenChange: (open: boolean) => void };

function ReverseDialog({ contentId, offer, open, onOpenChange }: DialogProps) {
  const [reason, setReason] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const field = useRef<HTMLFieldSetElement>(null);
  const router = useRouter();
  const queries = useQueryClient();
  const announce = useAnnounce();

  const reverse = async (code: string | null) => {
    setTried(true);
    if (code === null) {
      focusReason(field.current);
      return;
    }
    setBusy(true);
    setProblem(null);
    const body = { contentId, version: offer.version, reason: code, note: note === '' ? null : note };
    const answer = await act('/api/desk/records/reverse', body);
    setBusy(false);
    if (!answer.ok) {
      setProblem(answer.problem);
      return;
    }
    announce(`Reversed: the content is now ${statusWords(offer.next.status, offer.next.action).words}.`);
    onOpenChange(false);
    void queries.invalidateQueries();
    router.refresh();
  };

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Reverse record ${offer.version}`}
      description="Nothing is deleted: a new record says that you went back, and why. No late machine result undoes it."
    >
      <Preview offer={offer} />
      {problem && (
        <Notice kind="problem" title={problem.title}>
          {problem.detail}
        </Notice>
      )}
      <ReasonField
        ref={field}
        legend="Why"
        reasons={REVERSAL_REASONS}
        value={reason}
        onChange={setReason}
        onEnter={(code) => void reverse(code)}
        due={tried && reason === null}
      />
      <NoteField value={note} onChange={setNote} />
      <Button kind="primary" disabled={busy} onClick={() => void reverse(reason)} className="self-start">
        Reverse
      </Button>
    </Dialog>
  );
}

'use client';

import { useRef, useState } from 'react';
import { ESCALATION_REASONS } from '@/lib/review/reasons.ts';
import { Button } from '../_ui/button.tsx';
import { Dialog } from '../_ui/dialog.tsx';
import { Notice } from '../_ui/states.tsx';
import { NoteField } from './note-field.tsx';
import { focusReason, ReasonField } from './reason-field.tsx';
import type { Deciding } from './use-decide.ts';
import type { DecideForm } from './use-form.ts';

const HOUR_MS = 3_600_000;
const TIMES = [
  { name: '1 hour', ms: HOUR_MS },
  { name: '4 hours', ms: 4 * HOUR_MS },
  { name: '1 day', ms: 24 * HOUR_MS },
  { name: '3 days', ms: 72 * HOUR_MS },
];

/** For how long a case leaves the queue. */
export function DeferDialog({ deciding }: { deciding: Deciding }) {
  return (
    <Dialog
      open={deciding.asking === 'defer'}
      onOpenChange={(open) => !open && deciding.setAsking(null)}
      title="Defer this case"
      description="It leaves every queue and comes back by itself, for whoever is there then."
    >
      {deciding.problem && (
        <Notice kind="problem" title={deciding.problem.title}>
          {deciding.problem.detail}
        </Notice>
      )}
      <div className="grid grid-cols-2 gap-2">
        {TIMES.map(({ name, ms }) => (
          <Button key={name} disabled={deciding.busy} onClick={() => void deciding.defer(ms)}>
            {name}
          </Button>
        ))}
      </div>
    </Dialog>
  );
}

/** Hands a case to the moderators: why, and what they should know. */
export function EscalateDialog({ deciding, form }: { deciding: Deciding; form: DecideForm }) {
  const [reason, setReason] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const field = useRef<HTMLFieldSetElement>(null);
  const confirm = (code: string | null) => {
    setTried(true);
    if (code === null) focusReason(field.current);
    else void deciding.escalate(code, form.note);
  };
  return (
    <Dialog
      open={deciding.asking === 'escalate'}
      onOpenChange={(open) => !open && deciding.setAsking(null)}
      title="Escalate to the moderators"
      description="The case leaves your queue at once and waits under Escalated."
    >
      {deciding.problem && (
        <Notice kind="problem" title={deciding.problem.title}>
          {deciding.problem.detail}
        </Notice>
      )}
      <ReasonField
        ref={field}
        legend="Why"
        reasons={ESCALATION_REASONS}
        value={reason}
        onChange={setReason}
        onEnter={confirm}
        due={tried && reason === null}
      />
      <NoteField label="What should they know?" value={form.note} onChange={form.setNote} />
      <Button
        kind="primary"
        hint="Enter"
        disabled={deciding.busy}
        onClick={() => confirm(reason)}
        className="self-start"
      >
        Escalate
      </Button>
    </Dialog>
  );
}

'use client';

import { useEffect, useRef } from 'react';
import { namedAction } from '@/lib/review/rulebook.ts';
import type { CaseJson, DeskPolicy } from '../_server/case-json.ts';
import { Button, Key } from '../_ui/button.tsx';
import { useShortcut } from '../_ui/keyboard.tsx';
import { Shape } from '../_ui/verdict.tsx';
import { LabelField } from './label-field.tsx';
import { NoteField } from './note-field.tsx';
import { focusReason, ReasonField } from './reason-field.tsx';
import type { Deciding } from './use-decide.ts';
import type { DecideForm } from './use-form.ts';

type PanelProps = { found: CaseJson; form: DecideForm; deciding: Deciding; onShow: (label: string) => void };

/** Verdicts, and the ways to leave a case without one. */
export function Verdicts({ deciding, keys }: { deciding: Deciding; keys: boolean }) {
  const { busy } = deciding;
  const hint = (letter: string) => (keys ? letter : undefined);
  return (
    <div className="grid grid-cols-6 gap-2">
      <Button kind="allow" hint={hint('a')} disabled={busy} className="col-span-3" onClick={deciding.allow}>
        <Shape mark="allow" /> Allow
      </Button>
      <Button
        kind="restrict"
        hint={hint('r')}
        disabled={busy}
        className="col-span-3"
        onClick={() => deciding.restrict()}
      >
        <Shape mark="restrict" /> Restrict
      </Button>
      <Button
        hint={hint('e')}
        disabled={busy}
        className="col-span-2 px-2!"
        onClick={() => deciding.setAsking('escalate')}
      >
        Escalate
      </Button>
      <Button hint={hint('s')} disabled={busy} className="col-span-2 px-2!" onClick={deciding.skip}>
        Skip
      </Button>
      <Button hint={hint('d')} disabled={busy} className="col-span-2 px-2!" onClick={() => deciding.setAsking('defer')}>
        Defer
      </Button>
    </div>
  );
}

/** Labels, reason and note: what goes with the verdict. */
export function DecideFields({ found, form, deciding, onShow }: PanelProps) {
  const note = useRef<HTMLTextAreaElement>(null);
  const { policy } = found.view;
  useShortcut('n', 'Write the note; Escape leaves it', () => note.current?.focus());
  return (
    <div className="flex flex-col gap-4">
      <LabelField policy={policy} chosen={form.labels} toggle={form.toggleLabel} onShow={onShow} />
      <ReasonPart policy={policy} form={form} deciding={deciding} />
      <NoteField ref={note} hint="n" value={form.note} onChange={form.setNote} onBlur={() => void form.saveNote()} />
      <p className="text-small text-muted">{consequence(found, policy, form.labels)}</p>
      <div className="flex flex-wrap gap-x-2">
        <Button kind="quiet" className="-ml-3" disabled={deciding.busy} onClick={deciding.notSure}>
          I cannot tell
        </Button>
        <Button kind="quiet" disabled={deciding.busy} onClick={deciding.release}>
          Give it back
        </Button>
      </div>
    </div>
  );
}

/** The reasons of the policy: folded until one is asked for, as most cases are allowed without. */
function ReasonPart({ policy, form, deciding }: { policy: DeskPolicy; form: DecideForm; deciding: Deciding }) {
  const field = useRef<HTMLFieldSetElement>(null);
  const restricting = deciding.asking === 'restrict';
  const open = restricting || deciding.asking === 'reason';
  const chosen = policy.reasons.find((one) => one.code === form.reason);
  useEffect(() => {
    if (open) focusReason(field.current);
  }, [open]);
  useShortcut('m', 'Choose a reason', () => (open ? focusReason(field.current) : deciding.setAsking('reason')));
  if (!open) {
    return (
      <button
        type="button"
        className="flex min-h-6 items-center gap-2 text-left max-md:min-h-11"
        onClick={() => deciding.setAsking('reason')}
      >
        <Key>M</Key>
        <span className="label">Reason</span>
        <span className={chosen ? '' : 'text-muted'}>{chosen?.text ?? 'none; a restriction needs one'}</span>
      </button>
    );
  }
  const close = () => {
    deciding.cancel();
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  };
  return (
    <div>
      <ReasonField
        ref={field}
        legend="Reason, from the policy"
        reasons={policy.reasons}
        value={form.reason}
        onChange={form.setReason}
        due={restricting && form.reason === null}
        onEnter={restricting ? () => deciding.restrict() : close}
        onEscape={close}
      />
      <div className="sticky -bottom-4 mt-2 flex gap-2 bg-surface py-2 max-md:bg-raised">
        {restricting && (
          <Button
            kind="restrict"
            hint="Enter"
            disabled={deciding.busy || form.reason === null}
            onClick={() => deciding.restrict()}
          >
            Send the restriction
          </Button>
        )}
        <Button kind="quiet" onClick={close}>
          {restricting ? 'Cancel' : 'Close'}
        </Button>
      </div>
    </div>
  );
}

/** What a restriction would come to, said before it is sent. */
function consequence(found: CaseJson, policy: DeskPolicy, labels: readonly string[]): string {
  if (found.case.mode === 'record')
    return 'Nothing changes for the public, whatever you decide: this run only records.';
  const book = { labels: [], reasons: [], actions: new Map(policy.rules.map((rule) => [rule.label, rule.action])) };
  const { action } = namedAction(book, labels, found.case.label);
  return `Restrict proposes "${action}"; it counts once a moderator has approved it. After an allow everyone sees it.`;
}

'use client';

import { useState } from 'react';
import type { CaseJson } from '../_server/case-json.ts';
import { Button } from '../_ui/button.tsx';
import { Dialog } from '../_ui/dialog.tsx';
import { Shape } from '../_ui/verdict.tsx';
import { DecideFields, Verdicts } from './decide-panel.tsx';
import type { Deciding } from './use-decide.ts';
import type { DecideForm } from './use-form.ts';

type SheetProps = { found: CaseJson; form: DecideForm; deciding: Deciding; onShow: (label: string) => void };

/** On a small screen: the verdicts under the thumb, and the rest in a sheet that comes up from there. */
export function DecideSheet({ found, form, deciding, onShow }: SheetProps) {
  const [open, setOpen] = useState(false);
  const restrict = () => {
    setOpen(true);
    deciding.restrict();
  };
  return (
    <div className="md:hidden">
      <div className="fixed inset-x-0 bottom-0 z-20 grid grid-cols-3 gap-2 border-t border-line bg-surface px-4 pt-2 pb-[max(8px,env(safe-area-inset-bottom))]">
        <Button kind="allow" disabled={deciding.busy} onClick={deciding.allow}>
          <Shape mark="allow" /> Allow
        </Button>
        <Button kind="restrict" disabled={deciding.busy} onClick={restrict}>
          <Shape mark="restrict" /> Restrict
        </Button>
        <Button onClick={() => setOpen(true)}>More</Button>
      </div>
      <Dialog
        sheet
        open={open && deciding.asking !== 'escalate' && deciding.asking !== 'defer'}
        onOpenChange={(next) => {
          setOpen(next);
          if (!next) deciding.cancel();
        }}
        title="Decide"
      >
        <Verdicts deciding={deciding} keys={false} />
        <DecideFields found={found} form={form} deciding={deciding} onShow={onShow} />
      </Dialog>
    </div>
  );
}

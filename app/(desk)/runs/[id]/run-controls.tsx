'use client';

import type { RunJson } from '@/app/_server/run-json.ts';
import { Button } from '@/app/_ui/button.tsx';
import { Notice } from '@/app/_ui/states.tsx';
import { useRunAct } from './use-run-act.ts';

/**
 * Pausing and going on. Both are audited; neither loses an answer that is already on its way. A run that stands at its
 * ceiling goes on with a higher one only, beside its units.
 */
export function RunControls({ run }: { run: RunJson }) {
  const { busy, problem, send } = useRunAct(run.run);
  const resumes = run.state === 'paused' && run.pause_reason !== 'ceiling';
  const step = run.state === 'running' ? 'pause' : resumes ? 'resume' : null;
  return (
    <div className="flex flex-col items-end gap-2 max-md:items-start">
      {step !== null && (
        <Button kind={step === 'resume' ? 'primary' : 'plain'} disabled={busy} onClick={() => void send(step)}>
          {step === 'pause' ? 'Pause' : 'Resume'}
        </Button>
      )}
      {problem && (
        <Notice kind="problem" title={problem.title}>
          {problem.detail}
        </Notice>
      )}
    </div>
  );
}

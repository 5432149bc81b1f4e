'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RunJson } from '@/app/_server/run-json.ts';
import { Button } from '@/app/_ui/button.tsx';
import { act, type Problem } from '@/app/_ui/desk-api.ts';
import { Notice } from '@/app/_ui/states.tsx';

/** Pausing and going on. Both are audited; neither loses an answer that is already on its way. */
export function RunControls({ run }: { run: RunJson }) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const step = run.state === 'running' ? 'pause' : run.state === 'paused' ? 'resume' : null;
  const press = async () => {
    if (step === null) return;
    setBusy(true);
    const answer = await act(`/api/desk/runs/${run.run}/${step}`);
    await client.invalidateQueries({ queryKey: ['run', run.run] });
    setProblem(answer.ok ? null : answer.problem);
    setBusy(false);
  };
  return (
    <div className="flex flex-col items-end gap-2 max-md:items-start">
      {step !== null && (
        <Button kind={step === 'resume' ? 'primary' : 'plain'} disabled={busy} onClick={() => void press()}>
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

'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { act, type Problem } from '@/app/_ui/desk-api.ts';

/** An act on a run: sends it, shows the run as it is then, and keeps what was refused. */
export function useRunAct(runId: string): {
  readonly busy: boolean;
  readonly problem: Problem | null;
  send(step: string, body?: object): Promise<boolean>;
} {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const send = async (step: string, body: object = {}): Promise<boolean> => {
    setBusy(true);
    const answer = await act(`/api/desk/runs/${runId}/${step}`, body);
    await client.invalidateQueries({ queryKey: ['run', runId] });
    setProblem(answer.ok ? null : answer.problem);
    setBusy(false);
    return answer.ok;
  };
  return { busy, problem, send };
}

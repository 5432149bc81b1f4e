import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { db } from '@/app/_server/db.ts';
import { requireRight } from '@/app/_server/guard.ts';
import { reconciliationJson } from '@/app/_server/reconciliation-json.ts';
import { runJson } from '@/app/_server/run-json.ts';
import { may } from '@/lib/access/roles.ts';
import { RunBoard } from './run-board.tsx';

export const metadata: Metadata = { title: 'Run' };

type Props = { params: Promise<{ id: string }> };

/** One run: its equation, its arithmetic, its verdicts and its exceptions. */
export default async function Page({ params }: Props) {
  const user = await requireRight('run.read');
  const { id } = await params;
  const run = await runJson(db(), id);
  const reconciliation = run && (await reconciliationJson(db(), id));
  if (!run || !reconciliation) notFound();
  return (
    <RunBoard
      initial={run}
      reconciliation={reconciliation}
      mayControl={may(user.role, 'run.control')}
      maySpend={may(user.role, 'run.spend')}
    />
  );
}

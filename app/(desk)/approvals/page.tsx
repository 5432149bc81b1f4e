import type { Metadata } from 'next';
import { db } from '@/app/_server/db.ts';
import { requireRight } from '@/app/_server/guard.ts';
import { toJson } from '@/app/_server/json.ts';
import { listApprovals } from '@/lib/enforcement/approvals.db.ts';
import { ApprovalsBoard } from './approvals-board.tsx';

export const metadata: Metadata = { title: 'Approvals' };

export default async function Page() {
  const user = await requireRight('action.decide');
  return <ApprovalsBoard me={user.id} initial={toJson(await listApprovals(db()))} />;
}

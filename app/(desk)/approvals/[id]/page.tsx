import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { approvalJson } from '@/app/_server/case-json.ts';
import { requireRight } from '@/app/_server/guard.ts';
import { ApprovalDesk } from './approval-desk.tsx';

export const metadata: Metadata = { title: 'Approval' };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const user = await requireRight('action.decide');
  const { id } = await params;
  const found = await approvalJson(user, id);
  if (!found) notFound();
  return <ApprovalDesk key={id} id={id} initial={found} />;
}

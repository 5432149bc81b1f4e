import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { caseJson } from '@/app/_server/case-json.ts';
import { requireRight } from '@/app/_server/guard.ts';
import { CaseDesk } from './case-desk.tsx';

export const metadata: Metadata = { title: 'Case' };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const user = await requireRight('case.review');
  const found = await caseJson(user, (await params).id);
  if (!found) notFound();
  return <CaseDesk initial={found} />;
}

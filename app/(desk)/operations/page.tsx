import type { Metadata } from 'next';
import { db } from '@/app/_server/db.ts';
import { requireRight } from '@/app/_server/guard.ts';
import { toJson } from '@/app/_server/json.ts';
import { operations } from '@/lib/quality/operations.db.ts';
import { OperationsBoard } from './operations-board.tsx';

export const metadata: Metadata = { title: 'Operations' };

export default async function Page() {
  await requireRight('operations.read');
  return <OperationsBoard initial={toJson(await operations(db()))} />;
}

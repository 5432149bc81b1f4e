import type { Metadata } from 'next';
import { db } from '@/app/_server/db.ts';
import { requireRight } from '@/app/_server/guard.ts';
import { toJson } from '@/app/_server/json.ts';
import { listRunItems } from '@/lib/quality/run-list.db.ts';
import { RunsBoard } from './runs-board.tsx';

export const metadata: Metadata = { title: 'Runs' };

export default async function Page() {
  await requireRight('run.read');
  return <RunsBoard initial={toJson(await listRunItems(db()))} />;
}

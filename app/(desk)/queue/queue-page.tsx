import { db } from '@/app/_server/db.ts';
import { requireRight } from '@/app/_server/guard.ts';
import { toJson } from '@/app/_server/json.ts';
import { listQueue } from '@/lib/review/queue.db.ts';
import type { Queue } from '@/lib/review/queues.ts';
import { QueueBoard } from './queue-board.tsx';

/** One queue: its first page from the server, kept fresh afterwards. */
export async function QueuePage({ queue }: { queue: Queue }) {
  await requireRight(queue === 'moderator' ? 'case.review_moderator' : 'case.review');
  return <QueueBoard key={queue} queue={queue} initial={toJson(await listQueue(db(), { queue }))} />;
}

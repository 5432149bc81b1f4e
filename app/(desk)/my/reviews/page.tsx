import type { Metadata } from 'next';
import Link from 'next/link';
import { db } from '@/app/_server/db.ts';
import { requireRight } from '@/app/_server/guard.ts';
import { toJson } from '@/app/_server/json.ts';
import { buttonClass } from '@/app/_ui/button.tsx';
import { Empty } from '@/app/_ui/states.tsx';
import { myReviews } from '@/lib/review/mine.db.ts';
import { MyReviewsTable } from './table.tsx';

export const metadata: Metadata = { title: 'My reviews' };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** What one sent, newest first, and what became of it. */
export default async function Page({ searchParams }: Props) {
  const user = await requireRight('case.review');
  const { after } = await searchParams;
  const page = await myReviews(db(), user.id, { after: typeof after === 'string' ? after : null });
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h1 className="text-title">My reviews</h1>
        <p className="text-muted">What you sent, newest first. A refused one kept its note as a draft on its case.</p>
      </div>
      {page.items.length === 0 ? (
        <Empty title="You have not decided anything yet">
          Your decisions come here as you send them.{' '}
          <Link className="link" href="/queue">
            Start with the queue
          </Link>
          .
        </Empty>
      ) : (
        <MyReviewsTable items={toJson(page.items)} />
      )}
      {page.next && (
        <Link
          className={buttonClass('plain', 'self-start')}
          href={`/my/reviews?after=${encodeURIComponent(page.next)}`}
        >
          Older
        </Link>
      )}
    </div>
  );
}

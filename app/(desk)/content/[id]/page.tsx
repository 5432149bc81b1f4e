import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { StoredText } from '@/app/_review/stored-text.tsx';
import { db } from '@/app/_server/db.ts';
import { requireRight } from '@/app/_server/guard.ts';
import { toJson } from '@/app/_server/json.ts';
import { contentIdFromPath, contentPath } from '@/app/_ui/content-address.ts';
import { StrangerText } from '@/app/_ui/stranger-text.tsx';
import { Verdict } from '@/app/_ui/verdict.tsx';
import { statusWords } from '@/app/_ui/words.ts';
import { may } from '@/lib/access/roles.ts';
import { readInputs } from '@/lib/content/revisions.db.ts';
import { timeline } from '@/lib/review/timeline.db.ts';
import { reversalOffer } from './reversal-offer.ts';
import { ReversePanel } from './reverse-panel.tsx';
import { Timeline } from './timeline.tsx';

export const metadata: Metadata = { title: 'Content' };

type Props = {
  params: Promise<{ id: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

/** Everything that happened to one content item; for the owner also the way back. */
export default async function Page({ params, searchParams }: Props) {
  const user = await requireRight('content.read');
  const contentId = contentIdFromPath((await params).id);
  const found = contentId === null ? null : await timeline(db(), contentId);
  if (!found) notFound();
  const { item, entries } = found;
  const asked = (await searchParams).revision;
  const revision = typeof asked === 'string' ? asked : item.currentRevision;
  const [text, offer] = await Promise.all([
    readInputs(db(), [{ contentId: item.contentId, revision }]),
    may(user.role, 'record.reverse') ? reversalOffer(db(), item) : null,
  ]);
  const { mark, words } = statusWords(item.status, item.action);
  return (
    <div className="grid gap-x-10 gap-y-6 md:grid-cols-[minmax(0,1fr)_minmax(320px,440px)]">
      <div className="flex min-w-0 flex-col gap-4">
        <div className="border-b border-line pb-3">
          <p className="label">
            {item.contentType} in {item.source}
          </p>
          <h1 className="text-title">
            <StrangerText text={item.contentId} />
          </h1>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 text-muted">
            <Verdict mark={mark} word={words} />
            <span>
              record {item.version}, set with the rank of {item.rank}
            </span>
          </p>
        </div>
        <Revisions
          contentId={item.contentId}
          revisions={revisionsOf(entries)}
          shown={revision}
          current={item.currentRevision}
        />
        <StoredText revision={text[0] ?? { text: null, title: null, authorName: null, parentText: null }} />
        {offer && <ReversePanel key={item.version} contentId={item.contentId} offer={toJson(offer)} />}
      </div>
      <Timeline entries={toJson(entries.toReversed())} />
    </div>
  );
}

function revisionsOf(entries: readonly { kind: string }[]): string[] {
  return entries.flatMap((entry) => (entry.kind === 'arrival' && 'revision' in entry ? [String(entry.revision)] : []));
}

type RevisionsProps = { contentId: string; revisions: readonly string[]; shown: string; current: string };

function Revisions({ contentId, revisions, shown, current }: RevisionsProps) {
  return (
    <nav aria-label="Revisions" className="flex flex-wrap items-baseline gap-x-3 text-muted">
      <span className="label">Revision</span>
      {revisions.map((revision) => (
        <Link
          key={revision}
          href={`${contentPath(contentId)}?revision=${encodeURIComponent(revision)}`}
          aria-current={revision === shown ? 'true' : undefined}
          className={revision === shown ? 'code font-semibold text-text' : 'code link'}
        >
          {revision}
          {revision === current && ' (current)'}
        </Link>
      ))}
    </nav>
  );
}

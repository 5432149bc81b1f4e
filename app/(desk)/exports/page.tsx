import type { Metadata } from 'next';
import Link from 'next/link';
import { db } from '@/app/_server/db.ts';
import { requireRight } from '@/app/_server/guard.ts';
import { toJson } from '@/app/_server/json.ts';
import { buttonClass } from '@/app/_ui/button.tsx';
import { Empty } from '@/app/_ui/states.tsx';
import { listExports } from '@/lib/exports/list.db.ts';
import { ExportsTable } from './exports-table.tsx';

export const metadata: Metadata = { title: 'Exports' };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** The bundles that were published, by the hash that tells the real one from a forged one. */
export default async function Page({ searchParams }: Props) {
  await requireRight('export.read');
  const { after } = await searchParams;
  const page = await listExports(db(), { after: typeof after === 'string' ? after : null });
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h1 className="text-title">Exports</h1>
        <p className="max-w-[80ch] text-muted">
          Bundles of finished runs, newest first. Whoever holds a bundle can check it without this desk; the hash of its
          manifest, kept here, tells whether it is the one that was published.
        </p>
      </div>
      {page.items.length === 0 ? (
        <Empty title="Nothing has been exported">A finished run is published from the command line, as below.</Empty>
      ) : (
        <ExportsTable items={toJson(page.items)} />
      )}
      {page.next && (
        <Link className={buttonClass('plain', 'self-start')} href={`/exports?after=${encodeURIComponent(page.next)}`}>
          Older
        </Link>
      )}
      <Commands />
    </div>
  );
}

function Commands() {
  return (
    <div className="flex flex-col gap-1 border-l-2 border-line-strong bg-sunken px-3 py-2">
      <p className="text-muted">Publish a finished run, then check the bundle:</p>
      <p className="code">npm run docket -- export RUN --out FOLDER</p>
      <p className="code">npm run docket -- verify FOLDER/EXPORT_ID --manifest-sha256 HASH</p>
    </div>
  );
}

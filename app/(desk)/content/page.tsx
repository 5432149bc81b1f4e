import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { requireRight } from '@/app/_server/guard.ts';
import { Button } from '@/app/_ui/button.tsx';
import { contentPath } from '@/app/_ui/content-address.ts';

export const metadata: Metadata = { title: 'Find content' };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** Leads from a content id, as the platform knows it, to everything that happened to it. */
export default async function Page({ searchParams }: Props) {
  await requireRight('content.read');
  const { id } = await searchParams;
  if (typeof id === 'string' && id !== '') redirect(contentPath(id));
  return (
    <div className="flex max-w-xl flex-col gap-4">
      <div>
        <h1 className="text-title">Find content</h1>
        <p className="text-muted">Everything that ever happened to one post, comment or document, by its content id.</p>
      </div>
      <form action="/content" className="flex items-end gap-2">
        <label className="flex min-w-0 flex-1 flex-col gap-1">
          <span className="label">Content id, exactly as the platform writes it</span>
          <input name="id" className="field code" required maxLength={512} autoComplete="off" spellCheck={false} />
        </label>
        <Button type="submit" kind="primary">
          Open
        </Button>
      </form>
    </div>
  );
}

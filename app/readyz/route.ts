import { db } from '@/app/_server/db.ts';
import { webEnv } from '@/app/_server/env.ts';
import { installation } from '@/lib/db/installation.db.ts';

export const dynamic = 'force-dynamic';

/** Ready means: the database answers, is migrated and belongs to this environment. */
export async function GET(): Promise<Response> {
  try {
    const found = await installation(db(), webEnv().environment);
    return found.ok
      ? Response.json({ ok: true })
      : Response.json({ ok: false, reason: found.refusal }, { status: 503 });
  } catch {
    return Response.json({ ok: false, reason: 'database_unavailable' }, { status: 503 });
  }
}

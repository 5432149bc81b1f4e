export const dynamic = 'force-dynamic';

/** The process is alive; says nothing about the database, so that an outage there does not restart the web process. */
export function GET(): Response {
  return Response.json({ ok: true });
}

import 'server-only';
import type * as z from 'zod';
import { may, type Right } from '@/lib/access/roles.ts';
import { isOwnOrigin } from '@/lib/access/same-site.ts';
import type { User } from '@/lib/access/users.db.ts';
import type { Pool } from '@/lib/db/pool.db.ts';
import type { Result } from '@/lib/kernel/result.ts';
import { db } from './db.ts';
import { webEnv } from './env.ts';
import { currentUser } from './guard.ts';
import { problem, refusalProblem } from './problem.ts';

/** A body beyond this is refused before it is parsed: the longest note fits many times. */
const BODY_BYTES_MAX = 64 * 1024;
const JSON_TYPE = /^application\/json\s*(;|$)/i;

type Call<I> = {
  readonly user: User;
  readonly input: I;
  readonly params: Readonly<Record<string, string>>;
  readonly pool: Pool;
};
type Context = { params: Promise<Record<string, string>> };
type Handler = (request: Request, context: Context) => Promise<Response>;

/**
 * Wraps an act as a POST route: our own origin, signed in, the right read from the database, JSON, the schema; then the
 * act. In this order, so that a foreign page learns nothing, and so that no route can leave a check out.
 * @param act returns a Result; a refusal becomes a problem document, a value JSON.
 */
export function actRoute<S extends z.ZodType, T>(
  right: Right,
  schema: S,
  act: (call: Call<z.output<S>>) => Promise<Result<T, string>>,
): Handler {
  return guarded(async (request, context) => {
    if (!isOwnOrigin(request.headers.get('origin'), webEnv().origin)) return problem('bad_origin');
    const user = await allowed(right);
    if (user instanceof Response) return user;
    if (!JSON_TYPE.test(request.headers.get('content-type') ?? '')) return problem('not_json');
    const body = await jsonBody(request);
    if (body === TOO_LARGE) return problem('too_large');
    const input = schema.safeParse(body);
    if (!input.success) return problem('invalid', { field: input.error.issues[0]?.path.join('.') ?? '' });
    const result = await act({ user, input: input.data, params: await context.params, pool: db() });
    return result.ok ? json(result.value) : refusalProblem(result);
  });
}

/**
 * Wraps a read as a GET route, which changes nothing.
 * @param query checks the address's parameters; a repeated one counts once.
 * @param view returns what to show, or null where there is nothing (404).
 */
export function viewRoute<S extends z.ZodType, T>(
  right: Right,
  query: S,
  view: (call: Call<z.output<S>>) => Promise<T | null>,
): Handler {
  return guarded(async (request, context) => {
    const user = await allowed(right);
    if (user instanceof Response) return user;
    const input = query.safeParse(Object.fromEntries(new URL(request.url).searchParams));
    if (!input.success) return problem('invalid', { field: input.error.issues[0]?.path.join('.') ?? '' });
    const value = await view({ user, input: input.data, params: await context.params, pool: db() });
    return value === null ? problem('not_found') : json(value);
  });
}

async function allowed(right: Right): Promise<User | Response> {
  const user = await currentUser();
  if (!user) return problem('not_signed_in');
  return may(user.role, right) ? user : problem('not_allowed');
}

/** A bug becomes a 500 without a word of what was in the request; the log gets the kind of error and nothing else. */
function guarded(handler: Handler): Handler {
  return async (request, context) => {
    try {
      return await handler(request, context);
    } catch (thrown) {
      const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
      console.error(
        JSON.stringify({ level: 'error', at: new Date().toISOString(), route: 'desk', error: nameOf(thrown), code }),
      );
      return Response.json(
        {
          type: 'about:blank#failed',
          title: 'Something went wrong on our side',
          status: 500,
          refusal: 'failed',
          detail: 'Nothing was changed. Try again; if it happens again, tell whoever runs this desk.',
        },
        { status: 500, headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' } },
      );
    }
  };
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : typeof thrown;
}

function json(value: unknown): Response {
  return Response.json(value ?? {}, { headers: { 'cache-control': 'no-store' } });
}

const TOO_LARGE = Symbol('too large');

async function jsonBody(request: Request): Promise<unknown> {
  if (Number(request.headers.get('content-length') ?? 0) > BODY_BYTES_MAX) return TOO_LARGE;
  const text = await request.text();
  if (text.length > BODY_BYTES_MAX) return TOO_LARGE;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

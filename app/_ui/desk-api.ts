/** Talking to the desk's own routes from the browser. Nothing here throws for an expected "no". */

/** A refusal or failure in words: an RFC 9457 problem document, or what we say where none came. */
export type Problem = {
  readonly status: number;
  readonly refusal: string;
  readonly title: string;
  readonly detail: string;
  readonly facts?: Readonly<Record<string, string | number | boolean | null>>;
};

export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };

const OFFLINE: Problem = {
  status: 0,
  refusal: 'offline',
  title: 'The desk cannot be reached',
  detail: 'Nothing was sent and nothing is lost. Check the connection and try again.',
};
const BROKEN: Problem = {
  status: 500,
  refusal: 'failed',
  title: 'Something went wrong on our side',
  detail: 'Nothing was changed. Try again; if it happens again, tell whoever runs this desk.',
};

/** Sends an act. The body is JSON and the same-origin rule of the server does the rest. */
export async function act<T>(path: string, body: unknown = {}): Promise<Answer<T>> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return answer<T>(path, init);
}

/** Reads; for React Query, which wants a thrown error. */
export async function read<T>(path: string): Promise<T> {
  const result = await answer<T>(path, {});
  if (result.ok) return result.value;
  throw new DeskError(result.problem);
}

/** A failed read, with words for the screen. */
export class DeskError extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.title);
    this.problem = problem;
  }
}

async function answer<T>(path: string, init: RequestInit): Promise<Answer<T>> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, cache: 'no-store', credentials: 'same-origin' });
  } catch {
    return { ok: false, problem: OFFLINE };
  }
  const body: unknown = await response.json().catch(() => null);
  if (response.ok) return { ok: true, value: body as T };
  return { ok: false, problem: isProblem(body) ? body : { ...BROKEN, status: response.status } };
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'refusal' in body && 'title' in body && 'detail' in body;
}

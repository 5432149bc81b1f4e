import { setMaxListeners } from 'node:events';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';

/** One POST over a kept-alive connection: one deadline from the first byte out to the last byte in, no redirect. */

export type Post = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly deadlineMs: number;
  /** Bytes of the answer's body, also after decoding. */
  readonly maxBytes: number;
};
export type Posted =
  | {
      readonly outcome: 'response';
      readonly status: number;
      readonly header: (name: string) => string | undefined;
      readonly body: Buffer;
    }
  | { readonly outcome: PostFailure };
/**
 * `transport_error`: not sent, or the answer broke off; `outcome_unknown`: sent, and nothing came back;
 * `bad_upstream`: the answer is larger than allowed.
 */
export type PostFailure = 'timeout' | 'transport_error' | 'outcome_unknown' | 'bad_upstream';

type Headers = Record<string, string | string[] | undefined>;
const unzip = promisify(gunzip);

/**
 * Posts once and reads the whole answer. Never throws for what the network does.
 * @param signal gives up: `outcome_unknown`.
 */
export async function post(dispatcher: Dispatcher, request: Post, signal: AbortSignal): Promise<Posted> {
  const got = await exchange(dispatcher, request, signal);
  if (got.outcome !== 'response') return got;
  const encoding = got.header('content-encoding')?.trim().toLowerCase();
  if (encoding === undefined || encoding === '' || encoding === 'identity') return got;
  // Identity was asked for. Gzip is decoded with its trailer checked: HTTP stacks take a cut body for a whole one.
  if (encoding !== 'gzip') return { outcome: 'transport_error' };
  try {
    return { ...got, body: await unzip(got.body, { maxOutputLength: request.maxBytes }) };
  } catch (thrown) {
    return { outcome: codeOf(thrown) === 'ERR_BUFFER_TOO_LARGE' ? 'bad_upstream' : 'transport_error' };
  }
}

function exchange(dispatcher: Dispatcher, request: Post, signal: AbortSignal): Promise<Posted> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let sent = false;
    let status = 0;
    let headers: Headers | null = null;
    let size = 0;
    const chunks: Buffer[] = [];
    let over = false;

    const end = (posted: Posted): void => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      resolve(posted);
      if (posted.outcome !== 'response') controller?.abort(new Error(posted.outcome));
    };
    const giveUp = (): void => end({ outcome: sent ? 'outcome_unknown' : 'transport_error' });
    const timer = setTimeout(() => end({ outcome: 'timeout' }), request.deadlineMs);
    if (signal.aborted) return giveUp();
    // One signal serves all calls at once, which Node would take for a leak.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', giveUp);

    const handler: Dispatcher.DispatchHandler = {
      // Called with a connection in hand, just before the first byte is written.
      onRequestStart: (given) => {
        controller = given;
        if (over) return given.abort(new Error('too late'));
        sent = true;
      },
      onResponseStart: (_, code, received) => {
        status = code;
        headers = received as Headers;
      },
      onResponseData: (_, chunk) => {
        size += chunk.length;
        if (size > request.maxBytes) end({ outcome: 'bad_upstream' });
        else chunks.push(chunk);
      },
      onResponseEnd: () =>
        end({ outcome: 'response', status, header: (name) => firstOf(headers?.[name]), body: Buffer.concat(chunks) }),
      onResponseError: () => end({ outcome: sent && !headers ? 'outcome_unknown' : 'transport_error' }),
    };
    const { url, body } = request;
    dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname,
        method: 'POST',
        headers: { ...request.headers, 'accept-encoding': 'identity' },
        body,
        // The one deadline above covers connecting, waiting and reading.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      handler,
    );
  });
}

function firstOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'code' in thrown ? thrown.code : null;
}

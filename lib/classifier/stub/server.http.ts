import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { sha256Hex } from '../../kernel/hash.ts';
import { type Asked, readAsked } from './asked.ts';
import { classifiersFor } from './classifiers-file.ts';
import { drawFault, type Fault, isAnswerFault, type Misbehaviour, readMisbehaviour, type WireFault } from './faults.ts';
import { type Brain, judge } from './judge.ts';
import { obedientBody } from './obey.ts';
import { fitsFault, replyBody } from './reply.ts';

/** A service that speaks every format on one port, answers from the built-in model and misbehaves when told to. */

/** Bytes of a request. */
export const REQUEST_MAX_BYTES = 2 * 1024 * 1024;
/** Keys whose repeats are counted. */
const KEYS_MAX = 100_000;
const RETRY_AFTER_S = 1;
const LOOPBACK_HOST = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i;
const LOOPBACK_PEER = /^(?:127\.|::1$|::ffff:127\.)/;

export type StubOptions = {
  readonly port: number;
  readonly host: string;
  readonly seed: number;
  readonly delayMs: number;
  readonly obey: boolean;
  readonly misbehaviour: Misbehaviour;
  readonly brain: Brain;
};
export type StubCounts = {
  requests: number;
  answered: number;
  refused: number;
  byFault: Record<string, number>;
  byForm: Record<string, number>;
};
export type Stub = {
  /** Without a slash at the end. */
  readonly origin: string;
  readonly counts: StubCounts;
  misbehave(misbehaviour: Misbehaviour): void;
  close(): Promise<void>;
};

type State = StubOptions & {
  misbehaviour: Misbehaviour;
  readonly counts: StubCounts;
  readonly repeats: Map<string, number>;
};

/** Starts the stub. @throws where the address is taken or not ours. */
export async function startStub(options: StubOptions): Promise<Stub> {
  const counts: StubCounts = { requests: 0, answered: 0, refused: 0, byFault: {}, byForm: {} };
  const state: { -readonly [K in keyof State]: State[K] } = { ...options, counts, repeats: new Map() };
  const server = createServer((request, response) => {
    response.on('error', () => {});
    serve(state, request, response).then(
      (made) => made && send(response, made),
      () => response.destroy(),
    );
  });
  await listening(server, options);
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    counts,
    misbehave: (misbehaviour) => {
      state.misbehaviour = misbehaviour;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function listening(server: Server, { port, host }: StubOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** @returns what to send, or null where the response was broken off. */
async function serve(state: State, request: IncomingMessage, response: ServerResponse): Promise<Reply | null> {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  // A page in a browser must not reach it under a name that only looks like this machine.
  if (isLocal(state.host) && !LOOPBACK_HOST.test(request.headers.host ?? '')) {
    request.resume();
    return reply(403, error('wrong_host'));
  }
  if (request.method === 'GET') return look(state, path, request);
  const body = await bodyOf(request);
  if (request.method !== 'POST') return reply(405, error('method_not_allowed'));
  if (body === null) return reply(413, error('request_too_large'));
  if (path === '/stub/misbehave') return change(state, request, body);
  state.counts.requests++;
  const asked = readAsked(path, parsed(body));
  if (!asked) {
    state.counts.refused++;
    return reply(400, error('invalid_request_error'));
  }
  count(state.counts.byForm, asked.form);
  const header = request.headers['idempotency-key'];
  const key = typeof header === 'string' && header !== '' ? header : sha256Hex(body);
  const fault = drawFault(state.misbehaviour, { seed: state.seed, key, repeat: repeatOf(state, key) }, (each) =>
    fitsFault(asked, each),
  );
  if (state.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, state.delayMs));
  if (fault) count(state.counts.byFault, fault);
  else state.counts.answered++;
  return answer(state, asked, fault, response);
}

function answer(state: State, asked: Asked, fault: Fault | null, response: ServerResponse): Reply | null {
  const answerFault = fault && isAnswerFault(fault) ? fault : null;
  const obeys = state.obey && !answerFault;
  const body = obeys ? obedientBody(asked) : replyBody(asked, judge(asked, state.brain), answerFault);
  return fault && !isAnswerFault(fault) ? breakOff(fault, body, response) : reply(200, body);
}

/** Goes wrong on the way. */
function breakOff(fault: WireFault, body: string, response: ServerResponse): Reply | null {
  const half = body.slice(0, body.length / 2);
  const length = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  switch (fault) {
    case 'timeout':
      return null;
    case 'stall_body':
      response.writeHead(200, length).write(half);
      return null;
    case 'reset':
      response.destroy();
      return null;
    case 'reset_body':
      response.writeHead(200, length).write(half, () => response.destroy());
      return null;
    case '429':
      return reply(429, error('rate_limit_exceeded'));
    case '429_retry_after':
      return reply(429, error('rate_limit_exceeded'), { 'retry-after': String(RETRY_AFTER_S) });
    case '429_quota':
      return reply(429, error('insufficient_quota'));
    case '503':
      return reply(503, error('service_unavailable'));
    case '529':
      return reply(529, error('overloaded_error'));
    case '400_filtered':
      return reply(400, error('content_filter'));
    case '401':
      return reply(401, error('invalid_api_key'));
    case 'html':
      return reply(200, HTML, { 'content-type': 'text/html' });
    case 'html_as_json':
      return reply(200, HTML);
    case 'gzip_cut':
      // Without its last eight bytes nobody knows whether the text is whole.
      return reply(200, gzipSync(body).subarray(0, -8), { 'content-encoding': 'gzip' });
    case 'stream':
      return reply(200, `data: ${body}\n\n`, { 'content-type': 'text/event-stream' });
  }
}

const HTML = '<!doctype html><title>Welcome</title><p>Please sign in to continue.</p>';

function look(state: State, path: string, request: IncomingMessage): Reply {
  if (path === '/stub/counts') {
    const { requests, answered, refused, byFault, byForm } = state.counts;
    return reply(200, JSON.stringify({ requests, answered, refused, by_fault: byFault, by_form: byForm }));
  }
  if (path !== '/') return reply(404, error('not_found_error'));
  const speaks = {
    'POST /v1/chat/completions': 'openai-chat, and the presets llama-guard, shieldgemma and safeguard',
    'POST /v1/moderations': 'openai-moderation',
    'POST /models/NAME': 'text-classification, Hugging Face',
    'POST /predict': 'text-classification, Text Embeddings Inference',
    'POST /classify': 'http-json',
    'POST /stub/misbehave': 'what is to go wrong from now on, as in --misbehave; from this machine only',
    'GET /stub/counts': 'requests so far',
  };
  const classifiers = classifiersFor(`http://${request.headers.host ?? 'localhost'}`);
  return reply(200, `${JSON.stringify({ service: 'docket stub', speaks, classifiers_file: classifiers }, null, 2)}\n`);
}

function change(state: State, request: IncomingMessage, body: string): Reply {
  if (!LOOPBACK_PEER.test(request.socket.remoteAddress ?? '')) return reply(403, error('not_from_here'));
  const read = readMisbehaviour(body);
  if (!read.ok) return reply(400, error(read.refusal));
  state.misbehaviour = read.value;
  return reply(
    200,
    JSON.stringify({ misbehave: Object.fromEntries(read.value.map(({ fault, share }) => [fault, share])) }),
  );
}

type Reply = {
  readonly status: number;
  readonly body: string | Buffer;
  readonly headers: Readonly<Record<string, string>>;
};

function reply(status: number, body: string | Buffer, headers: Record<string, string> = {}): Reply {
  return { status, body, headers: { 'content-type': 'application/json', ...headers } };
}

function send(response: ServerResponse, { status, body, headers }: Reply): void {
  response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...headers });
  response.end(body);
}

function error(code: string): string {
  return JSON.stringify({ error: { message: 'said by the stub', type: code, code } });
}

/** @returns the whole body, or null where it is too large; the rest is read away, so that the answer arrives. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= REQUEST_MAX_BYTES) chunks.push(chunk);
    else if (size > 4 * REQUEST_MAX_BYTES) throw new Error('far too large');
  }
  return size > REQUEST_MAX_BYTES ? null : Buffer.concat(chunks).toString('utf8');
}

function repeatOf({ repeats }: State, key: string): number {
  const repeat = repeats.get(key) ?? 0;
  repeats.delete(key);
  repeats.set(key, repeat + 1);
  const [oldest] = repeats.keys();
  if (repeats.size > KEYS_MAX && oldest !== undefined) repeats.delete(oldest);
  return repeat;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

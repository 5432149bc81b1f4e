import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A chat-completions service on this machine that answers whatever a test wants, in whatever broken way. */

export type ChatRequest = {
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  readonly body: string;
  readonly system: string;
  /** The user message as the service reads it. */
  readonly user: { nonce: string; content_id: string; revision: string; input: Record<string, string> };
  /** The label names that the answer schema asks for; none where it asks for something else. */
  readonly labels: readonly string[];
};
export type Respond = (request: ChatRequest, response: ServerResponse) => void | Promise<void>;
export type ChatStub = {
  /** To be used as base_url. */
  readonly url: string;
  readonly requests: ChatRequest[];
  /** Connections accepted so far. */
  readonly connections: () => number;
  /** What the next requests are answered with. */
  respond: Respond;
  close(): Promise<void>;
};

/** Starts a stub on a free port of 127.0.0.1; by default it answers 0 for every label. */
export async function startChatStub(respond: Respond = answerAll(0)): Promise<ChatStub> {
  const requests: ChatRequest[] = [];
  let connections = 0;
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const request = readRequest(incoming.headers, incoming.url ?? '', Buffer.concat(chunks).toString('utf8'));
      requests.push(request);
      await stub.respond(request, response);
    });
  });
  server.on('connection', () => {
    connections++;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stub: ChatStub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    connections: () => connections,
    respond,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return stub;
}

function readRequest(headers: IncomingHttpHeaders, path: string, body: string): ChatRequest {
  const sent = JSON.parse(body);
  return {
    headers,
    path,
    body,
    system: sent.messages[0].content,
    user: JSON.parse(sent.messages[1].content),
    labels: sent.response_format.json_schema.schema.properties.labels?.required ?? [],
  };
}

/** @returns the message of a model that follows the contract. */
export function validContent({ user, labels }: ChatRequest, score = 0): string {
  return JSON.stringify({ nonce: user.nonce, labels: Object.fromEntries(labels.map((label) => [label, score])) });
}

/** @returns a chat completion around a message, with members put over it. */
export function completion(
  content: unknown,
  { choice = {}, message = {}, ...over }: Record<string, object | unknown> = {},
): object {
  return {
    id: 'chatcmpl-stub',
    object: 'chat.completion',
    created: 1_796_000_000,
    model: 'stub-model-1',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content, refusal: null, ...(message as object) },
        ...(choice as object),
      },
    ],
    usage: { prompt_tokens: 120, completion_tokens: 40, total_tokens: 160 },
    ...over,
  };
}

/** Sends a body as JSON with a status and headers. */
export function send(
  response: ServerResponse,
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
}

/** @returns a responder that follows the contract and gives every label this score. */
export function answerAll(score: number): Respond {
  return (request, response) => send(response, completion(validContent(request, score)));
}

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service on this machine that says whatever a test wants it to say, in any format. */

export type Received = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };
export type Serve = (received: Received, response: ServerResponse) => void;
export type Service = {
  readonly url: string;
  readonly received: Received[];
  /** What the next requests are answered with. */
  serve: Serve;
  close(): Promise<void>;
};

/** Starts a service on a free port of 127.0.0.1. */
export async function startService(): Promise<Service> {
  const received: Received[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const request = { path: incoming.url ?? '', headers: incoming.headers, body };
      received.push(request);
      service.serve(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const service: Service = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    serve: (_, response) => response.writeHead(500).end(),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return service;
}

/** @returns what sends a body as JSON. */
export function json(value: unknown, status = 200, headers: Record<string, string> = {}): Serve {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof value === 'string' || Buffer.isBuffer(value) ? value : JSON.stringify(value));
  };
}

import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ANSWER_MAX_BYTES } from '../http/ask.http.ts';
import {
  answerAll,
  type ChatRequest,
  completion,
  type Respond,
  send,
  startChatStub,
  validContent,
} from '../testing/chat-stub.http.ts';
import { body, callOf, KEY, remoteFixture, signal, TEXT } from '../testing/remote-fixture.http.ts';

const remote = remoteFixture();

describe('an error of the service', () => {
  const filtered = {
    error: { code: 'content_filter', param: 'prompt', innererror: { code: 'ResponsibleAIPolicyViolation' } },
  };
  const limit = { error: { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: 'slow down' } };

  test.each<[string, Respond, string, number | undefined]>([
    ['its own filter', body(filtered, 400), 'provider_filtered_input', undefined],
    [
      'its own filter, told inside only',
      body({ error: { code: '400', innererror: filtered.error.innererror } }, 400),
      'provider_filtered_input',
      undefined,
    ],
    [
      'an unknown model',
      body({ error: { code: 'model_not_found', type: 'invalid_request_error' } }, 400),
      'config_error',
      undefined,
    ],
    [
      'a text beyond its context',
      body({ error: { code: 'context_length_exceeded' } }, 400),
      'content_too_large',
      undefined,
    ],
    ['a request beyond its size', body('', 413), 'content_too_large', undefined],
    ['a bad key', body({ error: { message: `bad key ${KEY}` } }, 401), 'config_error', undefined],
    ['a forbidden model', body({}, 403), 'config_error', undefined],
    [
      'a wrong address',
      body('<html>not found</html>', 404, { 'content-type': 'text/html' }),
      'config_error',
      undefined,
    ],
    ['a wrong method', body('', 405), 'config_error', undefined],
    [
      'no money',
      body({ error: { type: 'insufficient_quota', code: 'insufficient_quota' } }, 429),
      'quota_exhausted',
      undefined,
    ],
    ['no money, said by status', body({}, 402), 'quota_exhausted', undefined],
    ['a rate limit in seconds', body(limit, 429, { 'retry-after': '7' }), 'rate_limited', 7_000],
    [
      'a rate limit in milliseconds',
      body(limit, 429, { 'retry-after-ms': '350', 'retry-after': '30' }),
      'rate_limited',
      350,
    ],
    ['a rate limit with nonsense', body(limit, 429, { 'retry-after': 'soon' }), 'rate_limited', undefined],
    ['a rate limit in prose', body('slow down', 429), 'rate_limited', undefined],
    [
      'a rate limit by a past date',
      body(limit, 429, { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }),
      'rate_limited',
      0,
    ],
    ['overload', body({ type: 'error', error: { type: 'overloaded_error' } }, 529), 'overloaded', undefined],
    ['overload with a time', body('upstream connect error', 503, { 'retry-after': '2' }), 'overloaded', 2_000],
    ['a crash that repeats the text', body(`echo: ${TEXT}`, 500), 'overloaded', undefined],
    ['a bad gateway', body('<html></html>', 502, { 'content-type': 'text/html' }), 'overloaded', undefined],
    ['a request that took too long', body('', 408), 'timeout', undefined],
    ['a repeat while the first is on its way', body('', 409), 'overloaded', undefined],
    ['a redirect, which is not followed', body('', 302, { location: '/elsewhere' }), 'bad_upstream', undefined],
  ])('%s', async (_, respond, outcome, wait) => {
    const result = await remote.ask(respond);
    expect([result.outcome, 'retryAfterMs' in result ? result.retryAfterMs : undefined]).toEqual([outcome, wait]);
    expect(remote.stub.requests).toHaveLength(1);
  });

  test('a date in the future is waited for from now', async () => {
    const at = new Date(Date.now() + 3_600_000).toUTCString();
    const result = await remote.ask(body(limit, 429, { 'retry-after': at }));
    expect('retryAfterMs' in result && (result.retryAfterMs ?? 0)).toBeGreaterThan(3_000_000);
  });

  test('the key is not kept, not even where the service repeats it', async () => {
    const result = await remote.ask(body({ error: { message: `bad key ${KEY}` } }, 401));
    expect(result.raw).toContain('bad key [key]');
  });
});

describe('a connection that breaks', () => {
  const whole = (request: ChatRequest) => JSON.stringify(completion(validContent(request)));
  const padding = ' '.repeat(ANSWER_MAX_BYTES);
  const never = new Promise<void>(() => {});

  test.each<[string, Respond, string]>([
    ['reset after the request was taken', (_, response) => void response.socket?.resetAndDestroy(), 'outcome_unknown'],
    ['closed after the request was taken', (_, response) => void response.socket?.destroy(), 'outcome_unknown'],
    [
      'cut below its announced length',
      (request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole(request).length + 10 });
        response.write(whole(request), () => response.socket?.destroy());
      },
      'transport_error',
    ],
    [
      'cut in the middle of its chunks',
      (request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write(whole(request), () => response.socket?.destroy());
      },
      'transport_error',
    ],
    [
      'gzip without its trailer, closed as if complete',
      (request, response) => {
        response.writeHead(200, {
          'content-type': 'application/json',
          'content-encoding': 'gzip',
          connection: 'close',
        });
        response.end(gzipSync(whole(request)).subarray(0, -8));
      },
      'transport_error',
    ],
    [
      'gzip with a wrong checksum',
      (request, response) => {
        const packed = gzipSync(whole(request));
        packed[packed.length - 8] = (packed[packed.length - 8] ?? 0) ^ 1;
        send(response, packed, 200, { 'content-encoding': 'gzip' });
      },
      'transport_error',
    ],
    [
      'an encoding nobody asked for',
      (request, response) => send(response, whole(request), 200, { 'content-encoding': 'br' }),
      'transport_error',
    ],
    [
      'a valid answer beyond all bounds',
      (request, response) => send(response, whole(request) + padding),
      'bad_upstream',
    ],
    [
      'a valid answer beyond all bounds once unpacked',
      (request, response) => send(response, gzipSync(whole(request) + padding), 200, { 'content-encoding': 'gzip' }),
      'bad_upstream',
    ],
  ])('%s', async (_, respond, outcome) => {
    expect((await remote.ask(respond)).outcome).toBe(outcome);
  });

  test.each<[string, Respond]>([
    ['no answer', () => never],
    [
      'headers and then nothing',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{');
        return never;
      },
    ],
    [
      'one byte now and then',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const timer = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(timer));
        return never;
      },
    ],
  ])('%s ends at the deadline', async (_, respond) => {
    expect((await remote.ask(respond, {}, { deadline_ms: 200 })).outcome).toBe('timeout');
  });

  test('nobody listens: nothing was sent', async () => {
    const gone = await startChatStub();
    await gone.close();
    expect((await remote.ask(answerAll(0), {}, { base_url: gone.url })).outcome).toBe('transport_error');
  });

  test('given up after sending it is unknown what happened; given up before, nothing is sent', async () => {
    const stop = new AbortController();
    remote.stub.respond = () => stop.abort();
    expect((await remote.classifier().classify(callOf(), stop.signal)).outcome).toBe('outcome_unknown');
    expect((await remote.classifier().classify(callOf(), stop.signal)).outcome).toBe('transport_error');
    expect(remote.stub.requests).toHaveLength(1);
  });

  test('after a broken call the next one works, under the same key', async () => {
    const classifier = remote.classifier();
    remote.stub.respond = (_, response) => void response.socket?.resetAndDestroy();
    expect((await classifier.classify(callOf(), signal)).outcome).toBe('outcome_unknown');
    remote.stub.respond = answerAll(0);
    expect((await classifier.classify(callOf(), signal)).outcome).toBe('ok');
    expect(remote.stub.requests[0]?.headers['idempotency-key']).toBe(
      remote.stub.requests[1]?.headers['idempotency-key'],
    );
  });
});

import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fits } from '../fits.ts';
import { dialectFixture, KEY } from '../testing/dialect-fixture.http.ts';
import { DIALECTS, type Dialect, TEXT } from '../testing/dialects.ts';
import { json, type Serve } from '../testing/service.http.ts';

/** What holds for every adapter, preset and contract: each fault of an answer, a service or a network as a kind. */

const remote = dialectFixture();
const valid =
  ({ answer }: Dialect): Serve =>
  (received, response) =>
    json(answer(received.body))(received, response);
const text = (body: string | Buffer, type: string, status = 200, headers: Record<string, string> = {}): Serve =>
  json(body, status, { 'content-type': type, ...headers });
const limit = { error: { type: 'rate_limit_error', code: 'rate_limit_exceeded' } };
const filtered = { error: { code: 'content_filter', innererror: { code: 'ResponsibleAIPolicyViolation' } } };

/** [what, how the service behaves given a dialect, outcome, wait] */
const FAULTS: readonly [string, (dialect: Dialect) => Serve, string, number?][] = [
  ['a page', () => text('<!doctype html><html></html>', 'text/html; charset=utf-8'), 'bad_upstream'],
  ['a page that says it is JSON', () => json('<html><body>502</body></html>'), 'bad_upstream'],
  ['a valid answer that says it is a page', (d) => text(JSON.stringify(d.answer('')), 'text/html'), 'bad_upstream'],
  [
    'gzip without its trailer',
    (d) => json(gzipSync(JSON.stringify(d.answer(''))).subarray(0, -8), 200, { 'content-encoding': 'gzip' }),
    'transport_error',
  ],
  ['a stream that never says it is done', () => text('data: {"x":1}\n\n', 'text/event-stream'), 'incomplete_stream'],
  ['an error with status 200', () => json({ error: true, message: 'monitor unavailable' }), 'bad_upstream'],
  ['overload with status 200', () => json({ error: { type: 'overloaded_error' } }), 'bad_upstream'],
  ['an empty object', () => json({}), 'bad_upstream'],
  ['an empty body', () => json(''), 'bad_upstream'],
  ['NaN', () => json('[NaN]'), 'bad_upstream'],
  ['a repeated key in the envelope', () => json('{"model":"m-1","model":"m-1"}'), 'duplicate_key'],
  ['bytes that are no UTF-8', () => json(Buffer.from([0x22, 0xff, 0x22])), 'bad_upstream'],
  ['another status of success', (d) => json(d.answer(''), 201), 'bad_upstream'],
  ['no content', () => json('', 204), 'bad_upstream'],
  ['a redirect', () => json('', 302, { location: '/elsewhere' }), 'bad_upstream'],
  ['the filter of the provider', () => json(filtered, 400), 'provider_filtered_input'],
  ['an unknown model', () => json({ error: { code: 'model_not_found' } }, 400), 'config_error'],
  ['a wrong key, repeated in the complaint', () => json({ error: `bad key ${KEY}` }, 401), 'config_error'],
  ['a wrong address', () => text('not found', 'text/plain', 404), 'config_error'],
  ['a text beyond its bounds', () => json('', 413), 'content_too_large'],
  [
    'a date that is past',
    () => json(limit, 429, { 'retry-after': 'Sun, 06 Nov 1994 08:49:37 GMT' }),
    'rate_limited',
    0,
  ],
  ['no time at all', () => json(limit, 429, { 'retry-after': 'soon' }), 'rate_limited'],
  ['milliseconds first', () => json(limit, 429, { 'retry-after-ms': '350', 'retry-after': '9' }), 'rate_limited', 350],
  ['no money left', () => json({ error: { code: 'insufficient_quota' } }, 429), 'quota_exhausted'],
  ['overload', () => json({ type: 'error', error: { type: 'overloaded_error' } }, 529), 'overloaded'],
  ['overload in prose', () => text('upstream connect error', 'text/plain', 503), 'overloaded'],
  [
    'a reset after the request was taken',
    () => (_, response) => void response.socket?.resetAndDestroy(),
    'outcome_unknown',
  ],
];

describe.each(DIALECTS)('$name', (dialect) => {
  const { document } = dialect;

  test('a valid answer is taken, also behind a byte order mark and with the members turned round', async () => {
    const turned = (received: { body: string }) =>
      `\ufeff${JSON.stringify(reversed(dialect.answer(received.body)), null, 1)}`;
    for (const serve of [
      valid(dialect),
      ((received, response) => json(turned(received))(received, response)) as Serve,
    ]) {
      const result = await remote.ask(dialect, serve);
      expect(result).toMatchObject({ outcome: 'ok', classification: dialect.classification, model: 'm-1' });
      if (result.outcome !== 'ok') continue;
      expect(fits(document, result.classification, TEXT)).toBe(true);
      expect(result.units).toBeGreaterThan(0);
      const sent = remote.service.received.splice(0);
      expect(result.weight).toEqual({
        requestBytes: sent.reduce((bytes, { body }) => bytes + Buffer.byteLength(body), 0),
        contentBytes: sent.length * Buffer.byteLength(JSON.stringify(TEXT)),
      });
    }
  });

  test('a repeat carries the same bytes under the same key, no key twice for different bytes, and the text whole', async () => {
    await remote.ask(dialect, valid(dialect));
    const first = remote.service.received.splice(0);
    await remote.ask(dialect, valid(dialect));
    const told = ({ headers, body }: (typeof first)[number]) => [headers['idempotency-key'], body];
    expect(remote.service.received.map(told)).toEqual(first.map(told));
    expect(new Set(first.map(({ headers }) => headers['idempotency-key'])).size).toBe(first.length);
    for (const { headers, body } of first) {
      expect(headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'accept-encoding': 'identity' });
      expect(body.isWellFormed()).toBe(true);
      expect(texts(JSON.parse(body)).some((each) => each.includes(TEXT))).toBe(true);
    }
  });

  test.each(FAULTS)('%s', async (_, serve, outcome, wait) => {
    const result = await remote.ask(dialect, serve(dialect));
    expect([result.outcome, 'retryAfterMs' in result ? result.retryAfterMs : undefined]).toEqual([outcome, wait]);
    expect(remote.service.received).toHaveLength(1);
    expect('weight' in result && result.weight?.requestBytes).toBe(
      Buffer.byteLength(remote.service.received[0]?.body ?? ''),
    );
  });

  test('a body that stalls ends at the deadline', async () => {
    const stall: Serve = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{');
    };
    expect((await remote.ask(dialect, stall, { entry: { deadline_ms: 150 } })).outcome).toBe('timeout');
  });

  test('half a character is not sent, in whichever member it stands', async () => {
    for (const input of [{ text: 'a\ud83d' }, { text: 'a', title: '\ude42' }, { text: 'a', parent_text: '\ud83d' }]) {
      expect((await remote.ask(dialect, valid(dialect), { call: { input } })).outcome).toBe('internal_error');
    }
    expect(remote.service.received).toHaveLength(0);
  });

  test('a setting nobody knows, and another model than the pinned one, ask nothing', async () => {
    const entry = { params: { temprature: 1 } };
    expect((await remote.ask(dialect, valid(dialect), { entry })).outcome).toBe('config_error');
    expect((await remote.ask(dialect, valid(dialect), { entry: { model: 'm-2' } })).outcome).toBe('model_mismatch');
    expect(remote.service.received).toHaveLength(0);
  });

  test('a setting of the policy wins over one of the endpoint', async () => {
    const params = Object.fromEntries(Object.keys(document.classifier.params ?? {}).map((name) => [name, 'nonsense']));
    expect((await remote.ask(dialect, valid(dialect), { entry: { params } })).outcome).toBe('ok');
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, inner]) => [name, reversed(inner)]),
  );
}

/** Every string in a request, and every string in the JSON that such a string holds. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') {
    const quoted = /"(?:[^"\\]|\\.)*"/.exec(value.slice(value.indexOf('Human Question:')))?.[0];
    return [
      value,
      ...(quoted ? [String(JSON.parse(quoted))] : []),
      ...(value.startsWith('{') ? texts(JSON.parse(value)) : []),
    ];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}

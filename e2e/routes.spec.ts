import { expect, test } from '@playwright/test';
import { anyOpen, one, signIn } from './desk.ts';

const count = () =>
  one<{ n: string }>('SELECT (SELECT count(*) FROM case_event) + (SELECT count(*) FROM audit_event) AS n');

test('a mutation from elsewhere is refused before anything is looked at, and changes nothing', async ({
  page,
  baseURL,
}) => {
  await signIn(page, 'moderator');
  const claim = `/api/desk/cases/${(await anyOpen('decision')).id}/claim`;
  const before = await count();
  for (const [origin, type] of [
    ['https://evil.test', 'application/json'],
    ['null', 'application/json'],
    ['http://', 'multipart/form-data; boundary=x'],
    [`${baseURL}.evil.test`, 'text/plain'],
    ['', 'application/x-www-form-urlencoded'],
    [undefined, 'application/json'],
  ] as const) {
    const headers = { 'content-type': type, ...(origin === undefined ? {} : { origin }) };
    const response = await page.request.post(claim, { headers, data: '{}' });
    expect(response.status(), String(origin)).toBe(403);
    expect(await response.json()).toMatchObject({ refusal: 'bad_origin', status: 403 });
  }
  expect((await page.request.get(claim)).status()).toBe(405);
  expect(await count()).toEqual(before);
});

test('from the desk itself only JSON of the right form is taken', async ({ page, baseURL }) => {
  await signIn(page, 'reviewer');
  const path = `/api/desk/cases/${(await anyOpen('decision')).id}/submission`;
  const post = async (data: string, type = 'application/json') => {
    const response = await page.request.post(path, { headers: { origin: baseURL ?? '', 'content-type': type }, data });
    return [response.status(), (await response.json()).refusal];
  };
  expect(await post('{}', 'text/plain')).toEqual([415, 'not_json']);
  expect(await post('{')).toEqual([400, 'invalid']);
  expect(await post('null')).toEqual([400, 'invalid']);
  expect(await post('{"token":"x","verdict":"allow"}')).toEqual([400, 'invalid']);
  expect(await post(JSON.stringify({ note: 'x'.repeat(100_000) }))).toEqual([413, 'too_large']);
});

test('strangers get 401, the wrong role 403, both as problem documents', async ({ page, request, baseURL }) => {
  const headers = { origin: baseURL ?? '', 'content-type': 'application/json' };
  const path = '/api/desk/records/reverse';
  const stranger = await request.post(path, { headers, data: '{}' });
  expect([stranger.status(), stranger.headers()['content-type']]).toEqual([401, 'application/problem+json']);
  await signIn(page, 'moderator');
  const moderator = await page.request.post(path, { headers, data: '{}' });
  expect([moderator.status(), (await moderator.json()).refusal]).toEqual([403, 'not_allowed']);
});

test('the process is alive, ready, and no page is stored on the way', async ({ page, request }) => {
  expect((await request.get('/healthz')).status()).toBe(200);
  expect(await (await request.get('/readyz')).json()).toEqual({ ok: true });
  await signIn(page, 'reviewer');
  const response = await page.goto('/queue');
  expect(response?.headers()['cache-control']).toContain('no-store');
  expect(response?.headers()['content-security-policy']).toMatch(/script-src 'self' 'nonce-[^']+' 'strict-dynamic'/);
});

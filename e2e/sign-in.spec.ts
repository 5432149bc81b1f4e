import { expect, test } from '@playwright/test';
import { addressOf, PASSWORD, signIn, sql } from './desk.ts';

test('a stranger is sent to sign in and then to where they wanted to go', async ({ page }) => {
  await page.goto('/my/reviews?after=1');
  await expect(page).toHaveURL('/signin?next=%2Fmy%2Freviews%3Fafter%3D1');
  await page
    .getByRole('button', { name: addressOf('reviewer'), exact: false })
    .first()
    .click();
  await expect(page).toHaveURL('/my/reviews?after=1');
});

test('no address to go to afterwards leads away from the desk', async ({ page, baseURL }) => {
  for (const next of ['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:alert(1)', '/%2f%2fevil.test']) {
    await page.context().clearCookies();
    await page.goto(`/signin?next=${encodeURIComponent(next)}`);
    await page
      .getByRole('button', { name: addressOf('reviewer') })
      .first()
      .click();
    await expect(page).toHaveURL(`${baseURL}/queue`);
  }
});

test('a wrong password and an unknown address are answered alike, and the address stays typed', async ({ page }) => {
  await page.goto('/signin');
  for (const email of [addressOf('owner'), 'nobody@docket.example']) {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByRole('alert').getByText('do not belong together')).toBeVisible();
    await expect(page.getByLabel('E-mail')).toHaveValue(email);
  }
});

test('the session cookie is out of reach of scripts and says no role', async ({ page }) => {
  await signIn(page, 'owner');
  const session = (await page.context().cookies()).find((cookie) => cookie.name.endsWith('session-token'));
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  const told = await page.evaluate(() => fetch('/api/auth/session').then((response) => response.json()));
  expect(Object.keys(told).sort()).toEqual(['expires', 'identity']);
  expect(Object.keys(told.identity).sort()).toEqual(['epoch', 'id']);
});

test.describe('each role has its own pages', () => {
  for (const [who, open, closed] of [
    ['reviewer', ['/queue', '/queue/failed', '/my/reviews', '/content'], ['/queue?tier=moderator', '/approvals']],
    ['manager', ['/operations', '/runs', '/quality', '/exports', '/content'], ['/queue', '/approvals', '/my/reviews']],
    ['moderator', ['/queue', '/queue?tier=moderator', '/approvals'], []],
    ['owner', ['/queue', '/queue?tier=moderator', '/approvals'], []],
  ] as const) {
    test(who, async ({ page }) => {
      await signIn(page, who);
      for (const path of open) expect((await page.goto(path))?.status(), path).toBe(200);
      for (const path of closed) expect((await page.goto(path))?.status(), path).toBe(403);
    });
  }
});

test('a demotion, a raised epoch and a disabled account count on the next request', async ({ page }) => {
  const change = (set: string) => sql(`UPDATE app_user SET ${set} WHERE email = $1`, [addressOf('moderator')]);
  await signIn(page, 'moderator');
  try {
    await change("role = 'reviewer'");
    expect((await page.goto('/approvals'))?.status()).toBe(403);
    await change("role = 'moderator'");
    expect((await page.goto('/approvals'))?.status()).toBe(200);
    await change('session_epoch = session_epoch + 1');
    await page.goto('/approvals');
    await expect(page).toHaveURL('/signin?next=%2Fapprovals');
    await signIn(page, 'moderator');
    await change('disabled_at = now()');
    await page.goto('/approvals');
    await expect(page).toHaveURL('/signin?next=%2Fapprovals');
    await page.getByLabel('E-mail').fill(addressOf('moderator'));
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByRole('alert').getByText('do not belong together')).toBeVisible();
  } finally {
    await change("role = 'moderator', disabled_at = NULL");
  }
});

test('after signing out nothing of the desk is left', async ({ page }) => {
  await signIn(page, 'reviewer');
  await page.getByRole('button', { name: /Robin Reviewer/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/signin$/);
  await page.goto('/queue');
  await expect(page).toHaveURL('/signin?next=%2Fqueue');
});

import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { anyOpen, complaints, freeHands, signIn, sql, take, type Who } from './desk.ts';

test.beforeEach(freeHands);

async function passesAxe(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
    .analyze();
  const found = violations.map(({ id, nodes }) => `${what}: ${id} at ${nodes.map((node) => node.target).join(', ')}`);
  expect(found).toEqual([]);
}

async function fits(page: Page, what: string): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(wide, `${what} scrolls sideways`).toBeLessThanOrEqual(0);
}

/** Every page of a role that does not change when it is looked at. */
async function pagesOf(who: Who): Promise<string[]> {
  const actions = await sql<{ id: string }>("SELECT id FROM enforcement_action WHERE state = 'proposed' LIMIT 1");
  if (who === 'reviewer') {
    const open = [await anyOpen('decision'), await anyOpen('exception')];
    return ['/queue', '/queue/failed', '/my/reviews', '/content', ...open.map(({ id }) => `/cases/${id}`)];
  }
  return [
    '/queue?tier=moderator',
    '/approvals',
    ...actions.map(({ id }) => `/approvals/${id}`),
    '/content/demo-comment-21',
  ];
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test('the sign-in page and the pages that say no are accessible', async ({ page }) => {
      await page.goto('/signin');
      await passesAxe(page, 'sign in');
      await page.getByLabel('E-mail').fill('nobody@docket.example');
      await page.getByLabel('Password').fill('not the password');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(page.getByText('do not belong together')).toBeVisible();
      await passesAxe(page, 'sign in, refused');
      await signIn(page, 'reviewer');
      for (const path of ['/approvals', '/nowhere']) {
        await page.goto(path);
        await passesAxe(page, path);
      }
    });

    for (const who of ['reviewer', 'owner'] as const) {
      test(`the pages of the ${who} are accessible and fit 1440, 768, 390 and 320 px`, async ({ page }) => {
        const found = complaints(page);
        await signIn(page, who);
        for (const path of await pagesOf(who)) {
          await page.setViewportSize({ width: 1440, height: 900 });
          await page.goto(path);
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
          await passesAxe(page, path);
          for (const width of [768, 390, 320]) {
            await page.setViewportSize({ width, height: 844 });
            await fits(page, `${path} at ${width}`);
          }
          await passesAxe(page, `${path} at 320`);
        }
        expect(found).toEqual([]);
      });
    }

    test('a case in hand is accessible in all its states', async ({ page }) => {
      await signIn(page, 'reviewer');
      await take(page, (await anyOpen('decision')).id);
      await passesAxe(page, 'claimed');
      await page.keyboard.press('r');
      await passesAxe(page, 'a reason is due');
      await page.keyboard.press('Escape');
      await page.keyboard.press('e');
      await expect(page.getByRole('dialog')).toBeVisible();
      await passesAxe(page, 'escalation');
      await page.keyboard.press('Escape');
      await page.keyboard.press('?');
      await expect(page.getByRole('dialog')).toBeVisible();
      await passesAxe(page, 'keys');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /Robin Reviewer/ }).click();
      await passesAxe(page, 'menu');
      await page.keyboard.press('Escape');
      await page.keyboard.press('a');
      await expect(page.getByRole('button', { name: 'Take back' })).toBeVisible();
      await passesAxe(page, 'on its way');
      await page.keyboard.press('u');
      await expect(page.getByText('Yours for')).toBeVisible();
      await page.getByRole('button', { name: 'Give it back' }).click();
    });
  });
}

test('at 390 px a case is read, and decided under the thumb', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, 'reviewer');
  await page.goto('/queue');
  await page.getByRole('button', { name: 'Start reviewing' }).click();
  await expect(page.getByText('Yours for')).toBeVisible();
  const bar = ['Allow', 'Restrict', 'More'].map((name) => page.getByRole('button', { name, exact: true }));
  for (const button of bar) {
    const box = await button.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(44);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
  }
  await page.getByRole('button', { name: 'Restrict', exact: true }).click();
  const sheet = page.getByRole('dialog', { name: 'Decide' });
  await expect(sheet.getByText('a reason is due')).toBeVisible();
  await passesAxe(page, 'the sheet');
  await fits(page, 'the sheet');
  await sheet.getByLabel('Another reason, given in the note.').check();
  await sheet.getByRole('button', { name: 'Send the restriction' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'restrict sent' })).toBeVisible();
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(page.getByText('Yours for')).toBeVisible();
});

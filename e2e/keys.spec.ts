import { expect, type Page, test } from '@playwright/test';
import { caseOf, freeHands, signIn, sql, take } from './desk.ts';

test.beforeEach(freeHands);

const CONTENT = 'demo-comment-43';

const acts = (caseId: string) =>
  sql("SELECT kind FROM case_event WHERE case_id = $1 AND kind NOT IN ('opened', 'claimed', 'released', 'expired')", [
    caseId,
  ]);

async function begin(page: Page): Promise<{ caseId: string; before: number }> {
  const caseId = await caseOf(CONTENT);
  const before = (await acts(caseId)).length;
  await signIn(page, 'reviewer');
  await take(page, caseId);
  return { caseId, before };
}

test('no key acts while typing, in a dialog, with a modifier, on repeat or while composing', async ({ page }) => {
  const { caseId, before } = await begin(page);
  const note = page.getByRole('textbox', { name: /^Note/ });
  await note.focus();
  await page.keyboard.type('are sad rude people saved? j k 1 2 3');
  await page.keyboard.press('Enter');
  await expect(note).toHaveValue('are sad rude people saved? j k 1 2 3\n');
  await page.keyboard.press('Escape');
  await expect(note).not.toBeFocused();
  await expect(note).toHaveValue('are sad rude people saved? j k 1 2 3\n');

  for (const modifier of ['Control', 'Alt', 'Meta', 'Shift']) await page.keyboard.press(`${modifier}+s`);
  await page.evaluate(() => {
    const press = (init: KeyboardEventInit) =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 's', code: 'KeyS', bubbles: true, ...init }));
    press({ repeat: true });
    press({ isComposing: true });
    press({ keyCode: 229 } as KeyboardEventInit);
  });

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys of this page' })).toBeVisible();
  for (const key of ['a', 's', 'e', 'r', 'd', 'j', 'k', '1']) await page.keyboard.press(key);
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: /Robin Reviewer/ }).click();
  await page.keyboard.press('s');
  await page.keyboard.press('Escape');

  await expect(page).toHaveURL(`/cases/${caseId}`);
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
  expect(await acts(caseId)).toHaveLength(before);
  await page.getByRole('button', { name: 'Give it back' }).click();
});

test('however often the page was left and come back to, one press is one act', async ({ page }) => {
  const { caseId, before } = await begin(page);
  for (let i = 0; i < 5; i++) {
    await page.getByRole('link', { name: 'Find content' }).click();
    await expect(page.getByRole('heading', { name: 'Find content' })).toBeVisible();
    await page.goBack();
    await expect(page.getByText('Yours for')).toBeVisible();
  }
  await page.keyboard.press('a');
  await expect(page.getByRole('status').filter({ hasText: 'allow sent' })).toHaveCount(1);
  await expect.poll(async () => (await acts(caseId)).length).toBe(before + 1);
  await page.keyboard.press('u');
  await expect(page).toHaveURL(`/cases/${caseId}`);
  await expect(page.getByText('Yours for')).toBeVisible();
  await page.getByRole('button', { name: 'Give it back' }).click();
});

test('letters can be turned off, and stay off after a reload; buttons still work', async ({ page }) => {
  const { caseId, before } = await begin(page);
  await page.keyboard.press('?');
  await page.getByRole('checkbox', { name: /Single-letter keys are on/ }).uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('s');
  await page.reload();
  await expect(page.getByText('Yours for')).toBeVisible();
  await page.keyboard.press('s');
  await expect(page).toHaveURL(`/cases/${caseId}`);
  expect(await acts(caseId)).toHaveLength(before);
  await page.getByRole('button', { name: 'Skip' }).click();
  await expect(page).not.toHaveURL(`/cases/${caseId}`);
  await expect.poll(async () => (await acts(caseId)).length).toBe(before + 1);
});

test('j and k go through a list, g and a letter through the desk, ? tells every key', async ({ page }) => {
  await signIn(page, 'moderator');
  await page.goto('/queue');
  await expect(page.getByRole('button', { name: 'Start reviewing' })).toBeVisible();
  const links = page.locator('[data-row-link]');
  await expect(async () => {
    await page.keyboard.press('k');
    await expect(links.first()).toBeFocused({ timeout: 1_000 });
  }).toPass();
  await page.keyboard.press('j');
  await expect(links.nth(1)).toBeFocused();
  const href = await links.nth(1).getAttribute('href');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(href ?? '');
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await expect(page).toHaveURL('/approvals');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('Go to: Escalated');
});

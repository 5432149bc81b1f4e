import { expect, type Page, test } from '@playwright/test';
import { complaints, one, person, signIn, sql } from './desk.ts';

/** Texts that were written to trouble whoever looks at them. */
const MARKUP = ['demo-comment-46', 'demo-post-21'];

const storedText = (contentId: string) =>
  one<{ text: string; title: string | null; author_name: string }>(
    'SELECT text, title, author_name FROM revision_text WHERE content_id = $1',
    [contentId],
  );

async function isInert(page: Page): Promise<void> {
  expect(await page.evaluate(() => (window as { __xss?: unknown }).__xss)).toBeUndefined();
  // An element of theirs would be one of these; ours have none inside the words of strangers.
  await expect(page.locator('bdi').locator('script, img, svg, a, b, iframe, object, style')).toHaveCount(0);
}

test('markup of strangers is letters, on every page that shows it', async ({ page, browser }) => {
  const found = complaints(page);
  await signIn(page, 'reviewer');
  await page.goto('/queue');
  await isInert(page);
  for (const contentId of MARKUP) {
    const [open] = await sql<{ id: string }>('SELECT id FROM review_case WHERE content_id = $1', [contentId]);
    const { text } = await storedText(contentId);
    await page.goto(`/cases/${open?.id}`);
    await expect(page.getByTestId('stored-text')).toHaveText(text);
    await isInert(page);
    await page.goto(`/content/${contentId}`);
    await expect(page.getByTestId('stored-text')).toHaveText(text);
    await isInert(page);
  }
  const moderator = await person(browser, 'moderator');
  for (const { id } of await sql<{ id: string }>('SELECT id FROM enforcement_action')) {
    await moderator.goto(`/approvals/${id}`);
    await isInert(moderator);
  }
  expect(found).toEqual([]);
});

test('a note of our own people is letters too', async ({ page }) => {
  const words = '<img src=x onerror=window.__xss=1> </textarea><script>window.__xss=1</script>';
  const [open] = await sql<{ id: string }>(
    "SELECT id FROM review_case WHERE state = 'open' AND tier = 'reviewer' LIMIT 1",
  );
  await signIn(page, 'reviewer');
  await page.goto(`/cases/${open?.id}`);
  const { id } = await one<{ id: string }>("SELECT id FROM app_user WHERE email = 'reviewer@docket.example'");
  await sql("INSERT INTO note (kind, subject, author, text) VALUES ('draft', $1, $2, $3) ON CONFLICT DO NOTHING", [
    `case:${open?.id}`,
    `user:${id}`,
    words,
  ]);
  await page.reload();
  await expect(page.getByText(words)).toBeVisible();
  await isInert(page);
  await sql("DELETE FROM note WHERE kind = 'draft' AND subject = $1", [`case:${open?.id}`]);
});

test('what cannot be seen is named where it stands, and copying gives the text as it is stored', async ({ page }) => {
  await signIn(page, 'moderator');
  const { text } = await storedText('demo-comment-47');
  await page.goto('/content/demo-comment-47');
  const shown = page.getByTestId('stored-text');
  await expect(shown.locator('[data-name=ZWSP]')).toHaveCount(text.split('\u200b').length - 1);
  await expect(page.getByText(/characters that cannot be seen are marked\./)).toBeVisible();
  const copied = await shown.evaluate((element) => {
    getSelection()?.selectAllChildren(element);
    return getSelection()?.toString();
  });
  expect(copied).toBe(text);
});

test('a direction override turns nothing round: not the text after it, and nothing of ours', async ({ page }) => {
  await signIn(page, 'moderator');
  await page.goto('/content/demo-comment-48');
  const shown = page.getByTestId('stored-text');
  await expect(shown.locator('[data-name=RLO]')).toHaveCount(1);
  await expect(page.getByText(/turn the direction of the text/)).toBeVisible();
  const left = (word: string) =>
    shown.evaluate((element, wanted) => {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.textContent?.indexOf(wanted) ?? -1;
        if (at === -1) continue;
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + wanted.length);
        return range.getBoundingClientRect().left;
      }
      return -1;
    }, word);
  const [first, second] = [await left('toi'), await left('idi')];
  expect(first).toBeGreaterThan(0);
  expect(second).toBeGreaterThan(first);
  await page.getByRole('button', { name: 'Show it as readers see it' }).click();
  await expect(shown.locator('[data-name]')).toHaveCount(0);
  expect(await left('toi')).toBeGreaterThan(await left('idi'));
});

test('ordinary right-to-left text reads from its own side and raises no mark', async ({ page }) => {
  await signIn(page, 'moderator');
  for (const contentId of ['demo-post-13', 'demo-post-14', 'demo-post-15', 'demo-comment-12', 'demo-comment-15']) {
    await page.goto(`/content/${contentId}`);
    const shown = page.getByTestId('stored-text');
    await expect(shown).toHaveText((await storedText(contentId)).text);
    await expect(page.locator('[data-name]')).toHaveCount(0);
  }
  const direction = await page.evaluate(() => getComputedStyle(document.querySelector('h1') as Element).direction);
  expect(direction).toBe('ltr');
});

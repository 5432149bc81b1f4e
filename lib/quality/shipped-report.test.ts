import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { builtin } from '../classifier/adapters/builtin.fs.ts';
import { evaluateShipped } from './shipped-evaluations.fs.ts';
import { REPORT_HEADING, renderReport } from './shipped-report.ts';

const shipped = await evaluateShipped(builtin());
const page = readFileSync(new URL('../../docs/model-card.md', import.meta.url), 'utf8');

test('the page tells what the classifier does today on every held-out text', () => {
  expect(page.slice(page.indexOf(REPORT_HEADING))).toBe(renderReport(shipped));
});

test('every shipped policy is reported with rows of its own, and every row is answered', () => {
  for (const { document, bySource } of shipped) {
    expect(bySource.asked, document.policy).toBeGreaterThanOrEqual(40);
    expect(bySource.failures, document.policy).toBe(0);
  }
});

test('segments and languages are the same rows, told apart in another way', () => {
  const total = (all: (typeof shipped)[number]['bySource']) =>
    all.byLabel
      .filter(({ stratum }) => stratum !== null)
      .reduce((sum, { tp, fp, fn, tn }) => sum + tp + fp + fn + tn, 0);
  for (const { bySource, byLanguage } of shipped) expect(total(byLanguage)).toBe(total(bySource));
});

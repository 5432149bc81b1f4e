import { expect, test } from 'vitest';
import { BARRIERS } from './testing/fire/barriers.ts';
import { fire } from './testing/fire/fire.db.ts';
import { POISON_DEATHS } from './testing/fire/work-hits.db.ts';

/** `npm run fire` does the same with twenty hits and more a barrier, and with four workers. */
const HITS = 2;

test('whatever is killed wherever: nothing is lost, nothing is counted twice', { timeout: 180_000 }, async () => {
  const report = await fire({ barriers: BARRIERS, hits: HITS, workers: 2 }, () => {});
  expect(report.breaches).toEqual([]);
  expect(Object.fromEntries(report.hits)).toEqual(Object.fromEntries(BARRIERS.map((barrier) => [barrier, HITS])));
  expect(report.poisoned).toBe(POISON_DEATHS);
  const { runs, items, decisions, deduplicated, exceptions, actions, expired } = report.tally;
  expect(runs).toBeGreaterThan(0);
  expect(items).toBe(decisions + deduplicated + exceptions);
  expect(actions).toBeGreaterThan(0);
  expect(expired).toBeGreaterThan(0);
});

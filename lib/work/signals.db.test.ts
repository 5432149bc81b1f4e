import { afterAll, beforeAll, expect, test } from 'vitest';
import { markedAnswer, scriptedClassifier } from '../classifier/testing/scripted.ts';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { runSignals } from './signals.db.ts';
import { makeDue } from './testing/corpus.db.ts';
import { round } from './testing/drive.db.ts';
import { type Workroom, workroom } from './testing/workroom.db.ts';

let database: TestDatabase;
let room: Workroom;

beforeAll(async () => {
  database = await testDatabase();
  room = await workroom(database.pool);
});
afterAll(() => database.close());

test('before anything was called there is nothing to go by', async () => {
  const runId = await room.start([{ contentId: 'none', source: 'none' }]);
  expect(await runSignals(database.pool, runId)).toEqual({
    items: 0,
    attempts: 0,
    p50Ms: null,
    p95Ms: null,
    retryRate: null,
    invalidRate: null,
    reviewRate: null,
    unitsPerItem: null,
  });
});

test('retries, invalid answers, what goes to people, latency and units are those of the latest items', async () => {
  const rows = Array.from({ length: 20 }, (_, at) => ({
    contentId: `s-${at}`,
    source: 'signals',
    text: at < 5 ? 'spam=0.6' : 'fine',
  }));
  const seen = new Set<string>();
  const classifier = scriptedClassifier({
    answer: (call, nth) => {
      const answer = markedAnswer(call);
      // The first two items are answered badly once, the third is timed out once.
      const again = seen.has(call.contentId);
      seen.add(call.contentId);
      if (!again && nth <= 2) return { outcome: 'schema_mismatch', latencyMs: 3, units: 10 };
      if (!again && nth === 3) return { outcome: 'timeout', latencyMs: 3 };
      return { ...answer, latencyMs: nth === 23 ? 900 : 40 };
    },
  });
  const runId = await room.start(rows, { classifier });
  while (await round(database.pool, { runId, policy: room.policy, classifier })) await makeDue(database.pool);
  expect(await runSignals(database.pool, runId)).toEqual({
    items: 20,
    attempts: 23,
    p50Ms: 40,
    p95Ms: 40,
    retryRate: 3 / 23,
    invalidRate: 2 / 23,
    reviewRate: 5 / 20,
    unitsPerItem: (20 * 10 + 2 * 10) / 20,
  });
});

import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Classifier } from '../lib/classifier/answer.ts';
import { gate, markedAnswer, scriptedClassifier } from '../lib/classifier/testing/scripted.ts';
import { setClassifying } from '../lib/content/switch.db.ts';
import { type TestDatabase, testDatabase } from '../lib/db/testing.db.ts';
import { removeCap, setCap, waitingSources } from '../lib/work/caps.db.ts';
import { goRun } from '../lib/work/go.db.ts';
import { reconcile } from '../lib/work/reconcile.db.ts';
import { resumeRun } from '../lib/work/run-control.db.ts';
import { runSummary } from '../lib/work/run-summary.db.ts';
import { findRun } from '../lib/work/runs.db.ts';
import { type SeedRow, seedSnapshot } from '../lib/work/testing/corpus.db.ts';
import { BROKEN_WORK } from '../lib/work/testing/invariants.sql.ts';
import { type Workroom, workroom } from '../lib/work/testing/workroom.db.ts';
import { ALL_SOURCES } from '../lib/work/units.ts';
import { workOn } from './testing/work-on.db.ts';

let database: TestDatabase;
let room: Workroom;

beforeAll(async () => {
  database = await testDatabase({ max: 20 });
  room = await workroom(database.pool);
});
afterAll(() => database.close());
afterEach(async () => {
  for (const [promise, broken] of Object.entries(BROKEN_WORK)) {
    expect({ promise, rows: (await database.pool.query(broken)).rows }).toEqual({ promise, rows: [] });
  }
});

const by = (runId: string) => ({ runId, actor: 'cli' }) as const;
let names = 0;
const some = (count: number, text = 'fine words', source = `money-${++names}`): SeedRow[] =>
  Array.from({ length: count }, (_, at) => ({ contentId: `${source}-${at}`, source, text }));
const stateIs = (runId: string, state: string) => async () => (await findRun(database.pool, runId))?.state === state;
const used = async (runId: string): Promise<number> =>
  (await database.pool.query('SELECT used FROM run_budget WHERE run_id = $1', [runId])).rows[0]?.used ?? 0;

/** Works on a run with so many workers, each with its own registration, until `enough` says so; then all drain. */
function work(
  runId: string,
  { workers = 1, classifier = room.classifier }: { workers?: number; classifier?: Classifier },
  enough: () => Promise<boolean>,
): Promise<void> {
  const between = () => new Promise((next) => setImmediate(next));
  return workOn(database.pool, runId, { workers, classifier, enough, between });
}

/** A service whose units stray from the bytes it is sent by up to so much, either way. */
function straying(by: number, seed: number): Classifier {
  let state = seed;
  return scriptedClassifier({
    answer: async (call) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      const factor = 1 + by * ((state / 2 ** 31) * 2 - 1);
      for (let turns = state % 7; turns > 0; turns--) await new Promise((next) => setImmediate(next));
      const answer = markedAnswer(call);
      const bytes = Buffer.byteLength(call.input.text);
      if (answer.outcome !== 'ok') return answer;
      return {
        ...answer,
        units: Math.round(bytes * factor),
        weight: { requestBytes: bytes, contentBytes: bytes },
      };
    },
  });
}

/** By how much the estimates of attempts fell short, the largest first. */
async function shortfalls(runId: string): Promise<number[]> {
  const { rows } = await database.pool.query<{ short: number }>(
    `SELECT (o.units - a.reserved_units)::int AS short
     FROM work_item w JOIN attempt a ON a.work_item_id = w.id
     JOIN attempt_outcome o ON o.work_item_id = a.work_item_id AND o.number = a.number
     WHERE w.run_id = $1 AND o.units > a.reserved_units ORDER BY short DESC`,
    [runId],
  );
  return rows.map((row) => row.short);
}

describe('a ceiling', () => {
  test('stops a run before it, whatever estimates are worth, and a higher one lets it finish', async () => {
    const anyCase = fc.record({
      ceiling: fc.integer({ min: 500, max: 9_000 }),
      stray: fc.constantFrom(0, 0.3, 0.9),
      seed: fc.integer({ min: 1, max: 1_000_000 }),
      workers: fc.constantFrom(1, 2),
    });
    await fc.assert(
      fc.asyncProperty(anyCase, async ({ ceiling, stray, seed, workers }) => {
        const rows = some(120).map((row, at) => ({ ...row, text: 'x'.repeat(20 + ((at * 37) % 160)) }));
        const runId = await room.start(rows, { ceilingUnits: ceiling });
        const classifier = straying(stray, seed);
        const ended = async () => (await stateIs(runId, 'paused')()) || (await stateIs(runId, 'complete')());
        await work(runId, { workers, classifier }, ended);
        const run = await findRun(database.pool, runId);
        // Under way at once: for each worker its calls, and a chunk of twice as many that has been recorded.
        const wrong = (await shortfalls(runId)).slice(0, workers * 3 * 8).reduce((sum, one) => sum + one, 0);
        expect(await used(runId)).toBeLessThanOrEqual(ceiling + wrong);
        if (run?.state === 'complete') return;
        expect(run?.pauseReason).toBe('ceiling');
        expect(await resumeRun(database.pool, by(runId))).toMatchObject({ refusal: 'at_ceiling' });
        expect(await resumeRun(database.pool, { ...by(runId), ceilingUnits: ceiling })).toMatchObject({ ok: false });
        expect(await resumeRun(database.pool, { ...by(runId), ceilingUnits: 10_000_000 })).toMatchObject({ ok: true });
        await work(runId, { workers, classifier }, stateIs(runId, 'complete'));
        expect(await runSummary(database.pool, runId)).toMatchObject({ decisions: 120, exceptions: 0, attempts: 120 });
      }),
      { numRuns: 6 },
    );
  });
});

describe('a daily cap', () => {
  test('of one source lets the others finish, says until when it waits, and a higher one frees it', async () => {
    const [capped, other] = ['capped-one', 'free-one'];
    const rows = [...some(40, 'x'.repeat(100), capped), ...some(40, 'x'.repeat(100), other)];
    await seedSnapshot(database.pool, 'knows-the-source', some(1, 'x', capped));
    expect(await setCap(database.pool, { source: capped, units: 1_000, actor: 'cli' })).toMatchObject({ ok: true });
    const runId = await room.start(rows);
    const classifier = straying(0, 1);
    const doneOf = async (source: string) =>
      (await runSummary(database.pool, runId))?.by.find((slice) => slice.source === source);
    const waits = async () => (await waitingSources(database.pool, runId))[0]?.items ?? 0;
    await work(runId, { workers: 2, classifier }, async () => {
      const [one, two] = [await doneOf(capped), await doneOf(other)];
      return two?.pending === 0 && one !== undefined && (await waits()) === one.pending;
    });
    const { rows: day } = await database.pool.query("SELECT used FROM unit_day WHERE source = 'capped-one'");
    expect(day[0]?.used).toBeLessThanOrEqual(1_000);
    expect(await findRun(database.pool, runId)).toMatchObject({ state: 'running' });
    const [waiting] = await waitingSources(database.pool, runId);
    expect(waiting).toMatchObject({ source: capped, why: 'capped' });
    expect(waiting?.until?.toISOString()).toMatch(/T00:00:00\.000Z$/);
    await setCap(database.pool, { source: capped, units: 1_000_000, actor: 'cli' });
    await work(runId, { workers: 2, classifier }, stateIs(runId, 'complete'));
    expect(await doneOf(capped)).toMatchObject({ decisions: 40 });
  });

  test('of everything holds across runs and two workers', async () => {
    const { rows: before } = await database.pool.query("SELECT used FROM unit_day WHERE source = '*'");
    const units = (before[0]?.used ?? 0) + 2_000;
    await setCap(database.pool, { source: ALL_SOURCES, units, actor: 'cli' });
    const runId = await room.start(some(60, 'x'.repeat(100)));
    const classifier = straying(0, 1);
    const stands = async () => {
      const [one] = await waitingSources(database.pool, runId);
      return one !== undefined && one.items === (await runSummary(database.pool, runId))?.pending;
    };
    await work(runId, { workers: 2, classifier }, stands);
    const { rows } = await database.pool.query("SELECT used FROM unit_day WHERE source = '*'");
    expect(rows[0]?.used).toBeLessThanOrEqual(units);
    await removeCap(database.pool, { source: ALL_SOURCES, actor: 'cli' });
    await work(runId, { workers: 2, classifier }, stateIs(runId, 'complete'));
  });
});

describe('one source paused', () => {
  test('while others go on with two workers and intake continues: nothing skipped, nothing repeated, totals match', async () => {
    const [closed, open, late] = ['shut', 'going', 'arrived-later'];
    const rows = [...some(150, 'fine', closed), ...some(150, 'fine', open)];
    const first = gate();
    let calls = 0;
    const classifier = scriptedClassifier({
      answer: async (call) => {
        // The first calls of both are under way when the source is closed.
        if (++calls <= 8) await first.opened;
        return markedAnswer(call);
      },
    });
    const runId = await room.start(rows, { classifier });
    const slice = async (id: string, source: string) =>
      (await runSummary(database.pool, id))?.by.find((one) => one.source === source);
    let closing: Promise<unknown> | null = null;
    await work(runId, { workers: 2, classifier }, async () => {
      if (calls >= 8 && closing === null) {
        closing = setClassifying(database.pool, { source: closed, open: false, actor: 'cli' });
        await closing;
        first.open();
      }
      return closing !== null && (await slice(runId, open))?.pending === 0;
    });
    const standing = await slice(runId, closed);
    expect(standing?.pending).toBeGreaterThan(0);
    expect(standing).toMatchObject({ leased: 0 });
    expect(await findRun(database.pool, runId)).toMatchObject({ state: 'running' });
    expect(await waitingSources(database.pool, runId)).toMatchObject([{ source: closed, why: 'paused', until: null }]);

    // Intake goes on, of the closed source too, and other runs are worked on.
    const later = await room.start(
      [...some(5, 'fine', late), { contentId: 'shut-new', source: closed, text: 'fine' }],
      {
        classifier,
      },
    );
    await work(later, { classifier }, async () => (await slice(later, late))?.pending === 0);
    expect(await slice(later, closed)).toMatchObject({ pending: 1, decisions: 0 });

    await setClassifying(database.pool, { source: closed, open: true, actor: 'cli' });
    for (const id of [runId, later]) {
      await work(id, { workers: 2, classifier }, stateIs(id, 'complete'));
      expect((await reconcile(database.pool, id)).differences).toEqual([]);
    }
    expect(await slice(runId, closed)).toMatchObject({ revisions: 150, decisions: 150, exceptions: 0, pending: 0 });
    expect(await slice(runId, open)).toMatchObject({ revisions: 150, decisions: 150, exceptions: 0, pending: 0 });
    const keys = classifier.calls.map((call) => call.decisionId);
    expect(new Set(keys).size).toBe(306);
    expect(keys).toHaveLength(306);
  });
});

describe('a canary with two workers', () => {
  test('is all that is called before the go, and the rest follows it', async () => {
    const classifier = scriptedClassifier();
    const runId = await room.start(some(90), { canary: 15, classifier });
    await work(runId, { workers: 2, classifier }, stateIs(runId, 'waiting'));
    expect(classifier.calls).toHaveLength(15);
    expect(await goRun(database.pool, by(runId))).toMatchObject({ ok: true, value: 'running' });
    await work(runId, { workers: 2, classifier }, stateIs(runId, 'complete'));
    expect(classifier.calls).toHaveLength(90);
  });
});

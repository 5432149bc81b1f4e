import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Classifier } from '../classifier/answer.ts';
import { markedAnswer, scriptedClassifier } from '../classifier/testing/scripted.ts';
import { type TestDatabase, testDatabase } from '../db/testing.db.ts';
import { goRun } from './go.db.ts';
import { projectRun } from './project.db.ts';
import { cancelRun, pauseRun, resumeRun } from './run-control.db.ts';
import { RUN_STATES, type RunState } from './run-state.ts';
import { completeFinishedRuns, findRun } from './runs.db.ts';
import { personActs, type SeedRow } from './testing/corpus.db.ts';
import { round } from './testing/drive.db.ts';
import { BROKEN_WORK } from './testing/invariants.sql.ts';
import { type Workroom, workroom } from './testing/workroom.db.ts';
import { applyWithheld } from './withheld.db.ts';

let database: TestDatabase;
let room: Workroom;

beforeAll(async () => {
  database = await testDatabase();
  room = await workroom(database.pool);
});
afterAll(() => database.close());

const by = (runId: string) => ({ runId, actor: 'cli' }) as const;
const run = async (runId: string) => {
  const found = await findRun(database.pool, runId);
  if (!found) throw new Error('a run vanished');
  return found;
};
const state = async (runId: string) => (await run(runId)).state;
const drive = async (runId: string, classifier: Classifier = room.classifier) => {
  while (await round(database.pool, { runId, policy: room.policy, classifier }));
};
/** Units that stray from the length of the text, so that a projection has an interval. */
const uneven = scriptedClassifier({
  answer: (call, nth) => ({ ...markedAnswer(call), units: Math.round(call.input.text.length * (0.5 + (nth % 5) / 5)) }),
});
let sources = 0;
const rowsOf = (count: number, text: (at: number) => string): SeedRow[] => {
  const source = `go-${++sources}`;
  return Array.from({ length: count }, (_, at) => ({ contentId: `${source}-${at}`, source, text: text(at) }));
};
/** Texts of very different lengths. */
const mixed = (count: number) => rowsOf(count, (at) => 'word '.repeat(1 + (at % 10) ** 3));
const effects = async (runId: string) =>
  Object.fromEntries((await room.see.items(runId)).map((item) => [item.content_id, item.effect]));
const casesOf = async (rows: readonly SeedRow[]) =>
  (await room.see.cases()).filter((one) => rows.some((row) => row.contentId === one.content_id));

async function unbroken(): Promise<void> {
  for (const [promise, statement] of Object.entries(BROKEN_WORK)) {
    expect((await database.pool.query(statement)).rows, promise).toEqual([]);
  }
}

describe('a canary', () => {
  test('is called alone, and then the run waits with a projection until the go', async () => {
    const rows = mixed(120);
    const runId = await room.start(rows, { canary: 20 });
    expect(await run(runId)).toMatchObject({ state: 'running', canaryOpen: true, canaryCount: 20 });
    await drive(runId);
    expect(await state(runId)).toBe('waiting');
    const items = await room.see.items(runId);
    expect(items.filter((item) => item.state === 'classified')).toHaveLength(20);
    expect(items.filter((item) => item.state === 'pending')).toHaveLength(100);
    await unbroken();
    expect(await projectRun(database.pool, await run(runId))).toMatchObject({ measuredCount: 20, itemCount: 120 });
    expect(await goRun(database.pool, by(runId))).toMatchObject({ ok: true, value: 'running' });
    await drive(runId);
    expect(await state(runId)).toBe('complete');
    await applyWithheld(database.pool);
    await unbroken();
  });

  test('holds texts of every length, and is drawn again the same for the same run only', async () => {
    const runId = await room.start(mixed(100), { canary: 20 });
    const { rows } = await database.pool.query(
      `SELECT r.code_points FROM work_item w JOIN revision r USING (content_id, revision)
       WHERE w.run_id = $1 AND w.canary ORDER BY r.code_points`,
      [runId],
    );
    expect(rows).toHaveLength(20);
    expect(rows[0]?.code_points).toBeLessThan(50);
    expect(rows.at(-1)?.code_points).toBeGreaterThan(2_000);
  });

  test('what is answered already is no part of it: nothing of it is measured', async () => {
    const rows = mixed(30);
    await drive(await room.start(rows.slice(0, 20)));
    const runId = await room.start(rows, { canary: 5 });
    expect(await run(runId)).toMatchObject({ canaryCount: 5 });
    await drive(runId);
    const waiting = await run(runId);
    expect(waiting.state).toBe('waiting');
    expect(await projectRun(database.pool, waiting)).toMatchObject({ itemCount: 10 });
  });

  test('a run that has nothing to call has none and completes', async () => {
    const rows = mixed(4);
    await drive(await room.start(rows));
    const again = await room.start(rows, { canary: 3 });
    expect(await run(again)).toMatchObject({ state: 'complete', canaryOpen: false, canaryCount: null });
  });

  test('a worker that died between its last commit and the wait is made up for by the sweep', async () => {
    const runId = await room.start(mixed(10), { canary: 4 });
    await drive(runId);
    await database.pool.query("UPDATE run SET state = 'running' WHERE id = $1", [runId]);
    await completeFinishedRuns(database.pool);
    expect(await state(runId)).toBe('waiting');
  });
});

describe('what a canary decides', () => {
  test.each(['record', 'hold'] as const)(
    'has no effect in %s mode before the go, and all of it after',
    async (mode) => {
      const rows = rowsOf(3, (at) => ['spam=0.5', 'spam=0.95', 'plain'][at] ?? '');
      const runId = await room.start(rows, { mode, canary: 3 });
      await drive(runId);
      expect(await state(runId)).toBe('waiting');
      expect(new Set(Object.values(await effects(runId)))).toEqual(new Set(['withheld']));
      expect(await casesOf(rows)).toEqual([]);
      expect(await applyWithheld(database.pool)).toBe(0);
      expect(await goRun(database.pool, by(runId))).toMatchObject({ ok: true, value: 'complete' });
      expect(await applyWithheld(database.pool)).toBe(3);
      expect(await applyWithheld(database.pool)).toBe(0);
      const [first] = rows;
      const now = await effects(runId);
      expect(now[first?.contentId ?? '']).toBe(mode === 'record' ? 'none' : 'applied');
      expect(Object.values(now)).not.toContain('withheld');
      expect((await casesOf(rows)).length).toBe(mode === 'record' ? 2 : 1);
      await unbroken();
    },
  );

  test('is checked again after the go: a person who acted meanwhile has the word', async () => {
    const rows = rowsOf(2, () => 'spam=0.95');
    const runId = await room.start(rows, { mode: 'hold', canary: 2 });
    await drive(runId);
    const [acted, other] = rows.map((row) => row.contentId);
    await personActs(database.pool, acted ?? '');
    await goRun(database.pool, by(runId));
    await applyWithheld(database.pool);
    expect(await effects(runId)).toEqual({ [acted ?? '']: 'late', [other ?? '']: 'applied' });
  });

  test('of a cancelled run never takes effect, and what is not public yet is held for a person', async () => {
    const rows = rowsOf(4, () => 'plain').map((row) => ({ ...row, sourceKind: 'live' as const }));
    const runId = await room.start(rows, { mode: 'hold', canary: 2 });
    await drive(runId);
    expect(await cancelRun(database.pool, by(runId))).toMatchObject({ ok: true, value: 'cancelled' });
    expect(await applyWithheld(database.pool)).toBe(0);
    const content = (await room.see.content()).filter((one) => rows.some((row) => row.contentId === one.content_id));
    expect(new Set(content.map((one) => one.status))).toEqual(new Set(['held']));
    const cases = await casesOf(rows);
    expect(cases).toHaveLength(4);
    expect(cases.map((one) => `${one.kind} ${one.reason_code}`).sort()).toEqual([
      'decision cancelled',
      'decision cancelled',
      'exception cancelled',
      'exception cancelled',
    ]);
    await unbroken();
  });
});

describe('cancelling', () => {
  test('a hold run leaves nothing pending without a case, but for what another run still works on', async () => {
    const rows = rowsOf(2, () => 'plain').map((row) => ({ ...row, sourceKind: 'documents' as const }));
    const first = await room.start(rows, { mode: 'hold' });
    const second = await room.start(rows.slice(0, 1), { mode: 'hold' });
    await cancelRun(database.pool, by(first));
    const status = async () =>
      (await room.see.content())
        .filter((one) => rows.some((row) => row.contentId === one.content_id))
        .map((one) => one.status);
    expect(await status()).toEqual(['pending', 'held']);
    await cancelRun(database.pool, by(second));
    expect(await status()).toEqual(['held', 'held']);
    expect(await casesOf(rows)).toHaveLength(2);
  });

  test('a record run changes no status', async () => {
    const rows = rowsOf(1, () => 'plain').map((row) => ({ ...row, sourceKind: 'live' as const }));
    await cancelRun(database.pool, by(await room.start(rows)));
    expect((await room.see.content()).find((one) => one.content_id === rows[0]?.contentId)?.status).toBe('pending');
  });
});

describe('the go', () => {
  test('under the upper end of the projection needs to be meant, and is kept with it', async () => {
    const runId = await room.start(mixed(60), { canary: 8 });
    await drive(runId, uneven);
    const projection = await projectRun(database.pool, await run(runId));
    if (!projection) throw new Error('there is a projection');
    expect(projection.low).toBeLessThan(projection.high - 1);
    const ceilingUnits = projection.high - 1;
    expect(await goRun(database.pool, { ...by(runId), ceilingUnits })).toMatchObject({
      refusal: 'ceiling_below_projection',
      detail: { ceiling: ceilingUnits, high: projection.high },
    });
    expect(await state(runId)).toBe('waiting');
    expect(await goRun(database.pool, { ...by(runId), ceilingUnits, acceptPause: true })).toMatchObject({ ok: true });
    expect(await run(runId)).toMatchObject({ canaryOpen: false, ceilingUnits });
    const { rows } = await database.pool.query(
      "SELECT actor, data FROM audit_event WHERE subject = $1 AND kind = 'run.go'",
      [`run:${runId}`],
    );
    expect(rows).toMatchObject([
      { actor: 'cli', data: { ceiling_units: ceilingUnits, projection: { high: projection.high, measured: 8 } } },
    ]);
  });

  test('a ceiling that was given at the start counts, and a high enough one is taken', async () => {
    const runId = await room.start(mixed(60), { canary: 8, ceilingUnits: 10_000_000 });
    await drive(runId);
    expect(await goRun(database.pool, by(runId))).toMatchObject({ ok: true });
  });
});

/** A run of two items in each state. */
const MADE: Record<RunState, () => Promise<string>> = {
  running: () => room.start(mixed(4)),
  paused: async () => {
    const runId = await room.start(mixed(4));
    await pauseRun(database.pool, { ...by(runId), reason: 'operator' });
    return runId;
  },
  waiting: async () => {
    const runId = await room.start(mixed(4), { canary: 2 });
    await drive(runId);
    return runId;
  },
  complete: async () => {
    const runId = await room.start(mixed(4));
    await drive(runId);
    return runId;
  },
  cancelled: async () => {
    const runId = await room.start(mixed(4));
    await cancelRun(database.pool, by(runId));
    return runId;
  },
};
const ACTS = {
  pause: (runId: string) => pauseRun(database.pool, { ...by(runId), reason: 'operator' }),
  resume: (runId: string) => resumeRun(database.pool, by(runId)),
  go: (runId: string) => goRun(database.pool, by(runId)),
  cancel: (runId: string) => cancelRun(database.pool, by(runId)),
};
const FOLLOWS: Record<RunState, Partial<Record<keyof typeof ACTS, RunState>>> = {
  waiting: { go: 'running', cancel: 'cancelled' },
  running: { pause: 'paused', cancel: 'cancelled' },
  paused: { resume: 'running', cancel: 'cancelled' },
  complete: {},
  cancelled: {},
};

describe('every act in every state', () => {
  const cells = RUN_STATES.flatMap((from) =>
    (Object.keys(ACTS) as (keyof typeof ACTS)[]).map((act) => [from, act] as const),
  );
  test.each(cells)('%s, %s', async (from, act) => {
    const runId = await MADE[from]();
    expect(await state(runId)).toBe(from);
    const next = FOLLOWS[from][act];
    const done = await ACTS[act](runId);
    expect(done).toMatchObject(next ? { ok: true, value: next } : { refusal: 'wrong_state', detail: { state: from } });
    expect(await state(runId)).toBe(next ?? from);
  });
});

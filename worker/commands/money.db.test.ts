import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadBuiltinModel } from '../../lib/classifier/builtin/weights.fs.ts';
import { type TestDatabase, testDatabase } from '../../lib/db/testing.db.ts';
import type { PolicyVersion } from '../../lib/policy/versions.db.ts';
import type { RunSummary } from '../../lib/work/run-summary.db.ts';
import { seedPolicy, seedSnapshot } from '../../lib/work/testing/corpus.db.ts';
import { CliError, type Command } from '../command.ts';
import { readEnv } from '../env.ts';
import { command as capCommand } from './cap.ts';
import { command as requeueCommand } from './requeue.ts';
import { command as runCommand } from './run.ts';
import { command as sourceCommand } from './source.ts';

let database: TestDatabase;
let policy: PolicyVersion;

beforeAll(async () => {
  database = await testDatabase();
  const { modelId, labels } = loadBuiltinModel();
  policy = await seedPolicy(database.pool, {
    contract: {
      kind: 'scores',
      labels: [...labels].map((name) => ({ name, definition: name, examples: [], not_examples: [] })),
    },
    rules: [{ label: 'spam', reviewAt: 0.5, action: 'hide' }],
    classifier: { adapter: 'builtin', model: modelId, params: {} },
  });
});
afterAll(() => database.close());

function call(command: Command, positionals: string[], values: Record<string, unknown> = {}) {
  const env = readEnv({});
  if (!env.ok) throw new Error('the environment of this test is wrong');
  return command.run({
    positionals,
    values,
    pool: database.pool,
    json: true,
    cwd: '.',
    out: () => {},
    progress: () => {},
    stdin: async () => '',
    signal: new AbortController().signal,
    env: env.env,
  });
}

async function start(mark: string, values: Record<string, unknown> = {}) {
  const rows = Array.from({ length: 60 }, (_, at) => ({
    contentId: `${mark}-${at}`,
    source: mark,
    text: 'some words here '.repeat(1 + (at % 9) ** 2),
  }));
  await seedSnapshot(database.pool, mark, rows);
  return call(runCommand, ['start'], { snapshot: mark, policy: policy.policyVersion, name: mark, ...values });
}

describe('a run with a canary', () => {
  test('--wait calls the canary, says what the whole will use and how to go on, and is exit 1', async () => {
    const outcome = await start('canary', { canary: '12', wait: true });
    expect(outcome).toMatchObject({
      exit: 1,
      json: {
        state: 'waiting',
        decisions: 12,
        pending: 48,
        canary: { items: 12, ended: 12, open: true },
        projection: { measured: 12, items: 60 },
      },
    });
    const { projection, units } = outcome.json as RunSummary;
    expect(projection?.low).toBeGreaterThanOrEqual(units);
    // Bytes of plain words are exactly proportional to their units here, so the interval may close.
    expect(projection?.high).toBeGreaterThanOrEqual(projection?.low ?? 0);
    const text = outcome.text.join('\n');
    expect(text).toContain('95 % interval');
    expect(text).toContain('docket run go canary');
  });

  test('the go needs a ceiling above the projection, and then finishes the run', async () => {
    expect(await call(runCommand, ['go', 'canary'], { ceiling: '1' })).toMatchObject({
      exit: 1,
      json: { state: 'waiting' },
    });
    expect(await call(runCommand, ['go', 'canary'], { wait: true })).toMatchObject({
      exit: 0,
      json: { state: 'complete', decisions: 60, projection: null, canary: { open: false } },
    });
    const { rows } = await database.pool.query("SELECT 1 FROM work_item WHERE effect = 'withheld'");
    expect(rows).toEqual([]);
    expect(await call(runCommand, ['go', 'canary'])).toMatchObject({ exit: 1, json: { refused: 'wrong_state' } });
  });

  test('what it projects holds what it comes to', async () => {
    const outcome = await start('holds', { canary: '20', wait: true });
    const { projection } = outcome.json as RunSummary;
    const done = await call(runCommand, ['go', 'holds'], { wait: true });
    const { units } = done.json as RunSummary;
    expect(projection?.low).toBeLessThanOrEqual(units);
    expect(projection?.high).toBeGreaterThanOrEqual(units);
  });

  test.each([{ canary: '1' }, { canary: 'many' }, { ceiling: '0' }])('%o is bad use', async (values) => {
    const asked = call(runCommand, ['start'], { snapshot: 'canary', policy: policy.policyVersion, ...values });
    await expect(asked).rejects.toMatchObject({ code: 'bad_option' });
  });
});

describe('the bound of a run', () => {
  test('is raised only after the signals were shown and with --yes, and lowered at once', async () => {
    await start('bound', { concurrency: '4' });
    expect(await call(runCommand, ['concurrency', 'bound', '9'])).toMatchObject({
      exit: 1,
      json: { concurrency: 4, refused: 'needs_yes', signals: { items: 0, p50_ms: null } },
    });
    expect(await call(runCommand, ['concurrency', 'bound', '9'], { yes: true })).toMatchObject({
      exit: 0,
      json: { concurrency: 9 },
    });
    expect(await call(runCommand, ['concurrency', 'bound', '2'])).toMatchObject({ exit: 0, json: { concurrency: 2 } });
    const { rows } = await database.pool.query(
      "SELECT data FROM audit_event WHERE kind = 'run.concurrency_set' ORDER BY id",
    );
    expect(rows).toEqual([{ data: { from: 4, to: 9 } }, { data: { from: 9, to: 2 } }]);
  });

  test('comes with what was measured, once something was', async () => {
    const outcome = await call(runCommand, ['concurrency', 'canary', '1']);
    expect(outcome).toMatchObject({ exit: 1, json: { refused: 'wrong_state' } });
    const { signals } = outcome.json as { signals: Record<string, number> };
    expect(signals).toMatchObject({ items: 60, attempts: 60, retry_rate: 0, invalid_rate: 0 });
    expect(signals.units_per_item).toBeGreaterThan(0);
  });

  test.each(['0', '513', 'x'])('%s calls at a time is bad use', async (n) => {
    await expect(call(runCommand, ['concurrency', 'bound', n])).rejects.toBeInstanceOf(CliError);
  });
});

describe('caps', () => {
  test('are set, listed and removed, for one source and for all together, and audited', async () => {
    expect(await call(capCommand, ['list'])).toMatchObject({ exit: 0, json: { caps: [] } });
    await call(capCommand, ['set', '1000'], { source: 'bound' });
    await call(capCommand, ['set', '5000']);
    expect(await call(capCommand, ['set', '6000'])).toMatchObject({
      exit: 0,
      json: {
        caps: [
          { source: '*', daily_units: 6000 },
          { source: 'bound', daily_units: 1000, used_today: 0, set_by: 'cli' },
        ],
      },
    });
    expect(await call(capCommand, ['remove'])).toMatchObject({ exit: 0, json: { caps: [{ source: 'bound' }] } });
    expect(await call(capCommand, ['remove'])).toMatchObject({ exit: 1, json: { refused: 'no_cap' } });
    await call(capCommand, ['remove'], { source: 'bound' });
    const { rows } = await database.pool.query("SELECT kind FROM audit_event WHERE kind LIKE 'work.cap%'");
    expect(rows).toHaveLength(5);
  });

  test('of a source that is not there, or of no whole number, are bad use', async () => {
    await expect(call(capCommand, ['set', '10'], { source: 'nowhere' })).rejects.toMatchObject({
      code: 'unknown_source',
    });
    await expect(call(capCommand, ['set', '-1'])).rejects.toMatchObject({ code: 'bad_option' });
    await expect(call(capCommand, ['set'])).rejects.toMatchObject({ code: 'bad_usage' });
  });

  test('what a cap sent to the next day is due again when it is raised, a retry is not', async () => {
    await start('capped');
    await call(capCommand, ['set', '10'], { source: 'capped' });
    await database.pool.query(`
      UPDATE work_item w SET next_attempt_at = CASE WHEN w.id % 2 = 0
        THEN (((clock_timestamp() AT TIME ZONE 'UTC')::date + 1)::timestamp AT TIME ZONE 'UTC')
        ELSE clock_timestamp() + interval '5 minutes' END
      FROM run r WHERE r.id = w.run_id AND r.name = 'capped'`);
    expect(await call(runCommand, ['status', 'capped'])).toMatchObject({
      json: { waiting_sources: [{ source: 'capped', why: 'capped', items: 30 }] },
    });
    expect(await call(capCommand, ['set', '10'], { source: 'bound' })).toMatchObject({ json: { due_again: 0 } });
    expect(await call(capCommand, ['set', '1000'], { source: 'capped' })).toMatchObject({ json: { due_again: 30 } });
    expect(await call(runCommand, ['status', 'capped'])).toMatchObject({ json: { waiting_sources: [] } });
  });
});

describe('a source', () => {
  test('is paused and resumed, each once, audited, and its run says that it waits', async () => {
    await start('switched');
    expect(await call(sourceCommand, ['pause', 'switched'])).toMatchObject({ exit: 0 });
    expect(await call(sourceCommand, ['pause', 'switched'])).toMatchObject({ exit: 1, json: { refused: 'already' } });
    const { json } = await call(sourceCommand, ['list']);
    expect((json as { sources: object[] }).sources).toContainEqual(
      expect.objectContaining({ source: 'switched', classifying: 'paused', kind: 'backfill' }),
    );
    expect(await call(runCommand, ['status', 'switched'])).toMatchObject({
      json: { waiting_sources: [{ source: 'switched', why: 'paused', items: 60, until: null }] },
    });
    expect(await call(sourceCommand, ['resume', 'switched'])).toMatchObject({ exit: 0 });
    await expect(call(sourceCommand, ['pause', 'nowhere'])).rejects.toMatchObject({ code: 'unknown_source' });
  });
});

test('requeue with a code that does not exist is bad use, and says which do', async () => {
  const asked = call(requeueCommand, ['canary'], { code: 'nonsense' });
  await expect(asked).rejects.toMatchObject({ code: 'unknown_code', message: expect.stringContaining('timeout') });
});

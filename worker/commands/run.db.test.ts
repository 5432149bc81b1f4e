import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadBuiltinModel } from '../../lib/classifier/builtin/weights.fs.ts';
import { type TestDatabase, testDatabase } from '../../lib/db/testing.db.ts';
import type { PolicyVersion } from '../../lib/policy/versions.db.ts';
import type { RunSummary } from '../../lib/work/run-summary.db.ts';
import { findRun } from '../../lib/work/runs.db.ts';
import { type SeedRow, seedPolicy, seedSnapshot, views } from '../../lib/work/testing/corpus.db.ts';
import { registerWorker, stopWorker } from '../../lib/work/workers.db.ts';
import type { Command, CommandContext } from '../command.ts';
import { readEnv } from '../env.ts';
import { command as reconcileCommand } from './reconcile.ts';
import { command as requeueCommand } from './requeue.ts';
import { command as runCommand } from './run.ts';

let database: TestDatabase;
let policy: PolicyVersion;

beforeAll(async () => {
  database = await testDatabase();
  const { modelId, labels } = loadBuiltinModel();
  const names = [...labels];
  policy = await seedPolicy(database.pool, {
    contract: {
      kind: 'scores',
      labels: names.map((name) => ({ name, definition: name, examples: [], not_examples: [] })),
    },
    rules: [{ label: 'spam', reviewAt: 0.5, action: 'hide' }],
    classifier: { adapter: 'builtin', model: modelId, params: {} },
  });
});
afterAll(() => database.close());

const rows = (mark: string, count: number): SeedRow[] =>
  Array.from({ length: count }, (_, at) => ({
    contentId: `${mark}-${at}`,
    source: mark,
    text: at === 0 ? '' : `a word about ${at}`,
  }));

function call(
  command: Command,
  positionals: string[],
  values: Record<string, unknown> = {},
  changes: Partial<CommandContext> = {},
) {
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
    ...changes,
  });
}
const start = async (mark: string, values: Record<string, unknown> = {}, changes: Partial<CommandContext> = {}) => {
  await seedSnapshot(database.pool, mark, rows(mark, 30));
  return call(runCommand, ['start'], { snapshot: mark, policy: policy.policyVersion, name: mark, ...values }, changes);
};

describe('run start', () => {
  test('--wait does the work itself where no worker is alive, shows progress, and prints the run', async () => {
    const shown: string[] = [];
    const outcome = await start('waited', { wait: true }, { progress: (line) => shown.push(line) });
    expect(outcome).toMatchObject({
      exit: 0,
      json: {
        name: 'waited',
        state: 'complete',
        mode: 'record',
        policy_version: policy.policyVersion,
        revisions: 30,
        decisions: 29,
        deduplicated: 0,
        exceptions: 1,
        pending: 0,
        by: [{ source: 'waited', content_type: 'comment', revisions: 30, decisions: 29, exceptions: 1, pending: 0 }],
      },
    });
    const { units, by, run } = outcome.json as RunSummary;
    expect(units).toBeGreaterThan(0);
    const [slice] = by;
    expect((slice?.allow ?? 0) + (slice?.review ?? 0) + (slice?.restrict ?? 0)).toBe(29);
    expect(shown.at(0)).toMatch(/^waited: 0 of 30 \(0%\)/);
    expect(await call(reconcileCommand, [run])).toMatchObject({
      exit: 0,
      json: { closes: true, pending: 0, differences: [] },
    });
  });

  test('without --wait it only admits; pause, resume and status tell the state; a wrong step is exit 1', async () => {
    expect(await start('admitted', { mode: 'hold', concurrency: '3' })).toMatchObject({
      exit: 0,
      json: { state: 'running', pending: 30, concurrency: 3, started: true, governing_set: ['admitted'] },
    });
    expect(await call(runCommand, ['resume', 'admitted'])).toMatchObject({
      exit: 1,
      json: { state: 'running', refused: 'wrong_state' },
    });
    expect(await call(runCommand, ['pause', 'admitted'])).toMatchObject({
      exit: 0,
      json: { state: 'paused', pause_reason: 'operator' },
    });
    expect(
      await call(runCommand, ['start'], {
        snapshot: 'admitted',
        policy: policy.policyVersion,
        name: 'admitted',
        mode: 'hold',
        wait: true,
      }),
    ).toMatchObject({ exit: 1, json: { state: 'paused', started: false } });
    expect(await call(runCommand, ['resume', 'admitted'])).toMatchObject({ exit: 0, json: { state: 'running' } });
    expect(await call(reconcileCommand, ['admitted'])).toMatchObject({ exit: 1, json: { closes: true, pending: 30 } });
    expect(await call(runCommand, ['cancel', 'admitted'])).toMatchObject({
      exit: 0,
      json: { state: 'cancelled', exceptions: 30 },
    });
    expect(await call(runCommand, ['status', 'admitted'])).toMatchObject({
      exit: 0,
      json: { exceptions_by_code: [{ code: 'cancelled', count: 30 }] },
    });
  });

  test('--wait only watches where a worker is alive, and takes over when it is gone', async () => {
    const other = await registerWorker(database.pool, { environment: 'development', version: 'test' });
    await start('watched');
    const waiting = start('watched-2', { wait: true });
    const runId = async () => (await findRun(database.pool, 'watched-2'))?.id ?? '';
    while ((await runId()) === '') await new Promise((resolve) => setImmediate(resolve));
    expect((await views(database.pool).items(await runId())).every((item) => item.state === 'pending')).toBe(true);
    await stopWorker(database.pool, other.id);
    expect(await waiting).toMatchObject({ exit: 0, json: { state: 'complete' } });
    await call(runCommand, ['cancel', 'watched']);
  });

  test('an interrupted --wait gives its leases back unspent and ends with an error that is none of ours', async () => {
    const stop = new AbortController();
    const waiting = start('interrupted', { wait: true, 'not-before': '2999-01-01T00:00:00Z' }, { signal: stop.signal });
    while (!(await findRun(database.pool, 'interrupted'))) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    await expect(waiting).rejects.toThrow();
    const run = await findRun(database.pool, 'interrupted');
    expect((await views(database.pool).items(run?.id ?? '')).every((item) => item.state === 'pending')).toBe(true);
    await call(runCommand, ['cancel', 'interrupted']);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['no snapshot', { policy: 'test@1' }, 'bad_usage'],
    ['no policy', { snapshot: 'waited' }, 'bad_usage'],
    ['an unknown snapshot', { snapshot: 'nobody', policy: 'test@1' }, 'unknown_snapshot'],
    ['an unknown policy', { snapshot: 'waited', policy: 'test@9' }, 'unknown_policy'],
    ['an unknown mode', { snapshot: 'waited', policy: 'test@1', mode: 'maybe' }, 'bad_option'],
    ['enforce', { snapshot: 'waited', policy: 'test@1', mode: 'enforce' }, 'mode_not_built'],
    ['an unknown classifier', { snapshot: 'waited', policy: 'test@1', classifier: 'nobody' }, 'unknown_classifier'],
    ['too many calls at once', { snapshot: 'waited', policy: 'test@1', concurrency: '513' }, 'bad_option'],
    [
      'a time without its zone',
      { snapshot: 'waited', policy: 'test@1', 'not-before': '2026-12-01T02:00:00' },
      'bad_option',
    ],
    ['a time that is none', { snapshot: 'waited', policy: 'test@1', 'not-before': 'tomorrow' }, 'bad_option'],
    ['a name that is taken', { snapshot: 'waited', policy: 'test@1', name: 'admitted' }, 'name_taken'],
  ])('%s is refused', async (_name, values, code) => {
    await expect(call(runCommand, ['start'], values)).rejects.toMatchObject({ code });
  });

  test('a policy that pins what nobody here serves is refused', async () => {
    const remote = await seedPolicy(database.pool, {
      classifier: { adapter: 'openai-chat', model: 'big', params: {} },
    });
    const asked = call(runCommand, ['start'], { snapshot: 'waited', policy: remote.policyVersion });
    await expect(asked).rejects.toMatchObject({ code: 'classifier_mismatch' });
  });
});

describe('requeue', () => {
  test('gives the exceptions of one code fresh attempts and prints the run', async () => {
    await start('requeued', { wait: true });
    const outcome = await call(requeueCommand, ['requeued'], { code: 'no_text' });
    expect(outcome).toMatchObject({
      exit: 0,
      json: { state: 'running', pending: 1, exceptions: 0, requeued: 1, in_hands: 0, reviewed: 0 },
    });
    expect(await call(requeueCommand, ['requeued'], { code: 'no_text' })).toMatchObject({
      exit: 1,
      json: { requeued: 0 },
    });
    expect(await call(requeueCommand, ['requeued'], { code: 'cancelled' })).toMatchObject({
      exit: 1,
      json: { refused: 'not_requeueable' },
    });
    await expect(call(requeueCommand, ['requeued'])).rejects.toMatchObject({ code: 'bad_usage' });
    await expect(call(requeueCommand, ['nobody'], { code: 'timeout' })).rejects.toMatchObject({ code: 'unknown_run' });
  });
});

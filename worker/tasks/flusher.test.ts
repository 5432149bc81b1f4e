import { describe, expect, test } from 'vitest';
import { gate } from '../../lib/classifier/testing/scripted.ts';
import type { ItemResult } from '../../lib/work/item-end.ts';
import { FLUSH_COUNT, FLUSHES_AT_ONCE, RESULTS_WAITING_COUNT } from '../../lib/work/limits.ts';
import type { FlushReport } from '../../lib/work/settle.db.ts';
import { flusher, isUnavailable } from './flusher.ts';

const result = (id: number): ItemResult => ({ id, token: 't', attempt: 1, end: { kind: 'released' } });
const report: FlushReport = {
  settled: 0,
  lost: 0,
  decisions: 0,
  deduplicated: 0,
  exceptions: 0,
  returned: 0,
  attempts: 0,
  units: 0,
  answerDiffers: 0,
  held: 0,
  cases: 0,
  proposals: 0,
};
const failing = (code: string): Error => Object.assign(new Error('no'), { code });

function recorded(commit: (results: readonly ItemResult[]) => Promise<FlushReport>) {
  const ended: { id: number; committed: boolean }[] = [];
  const errors: unknown[] = [];
  const made = flusher({
    commit,
    onEnded: (results, given) => ended.push(...results.map(({ id }) => ({ id, committed: given !== null }))),
    onError: (thrown) => errors.push(thrown),
  });
  return { made, ended, errors };
}

describe('collecting', () => {
  test('few flushes at a time; what comes meanwhile is committed together, in its order, at most FLUSH_COUNT', async () => {
    const batches: number[][] = [];
    const first = gate();
    const { made } = recorded(async (results) => {
      batches.push(results.map(({ id }) => id));
      if (batches.length <= FLUSHES_AT_ONCE) await first.opened;
      return report;
    });
    const count = (FLUSHES_AT_ONCE + 1) * FLUSH_COUNT + 10;
    for (let id = 0; id < count; id++) made.add(result(id));
    expect(batches).toHaveLength(FLUSHES_AT_ONCE);
    first.open();
    await made.drain();
    expect(batches.map((batch) => batch.length)).toEqual([...Array(FLUSHES_AT_ONCE + 1).fill(FLUSH_COUNT), 10]);
    expect(batches.flat()).toEqual(Array.from({ length: count }, (_, id) => id));
  });

  test('a single result is committed without company', async () => {
    const done = gate();
    const { made, ended } = recorded(async () => {
      done.open();
      return report;
    });
    made.add(result(1));
    await done.opened;
    await made.drain();
    expect(ended).toEqual([{ id: 1, committed: true }]);
  });

  test('there is no room while too many results wait, and room again once they are committed', async () => {
    const first = gate();
    const { made } = recorded(async () => {
      await first.opened;
      return report;
    });
    for (let id = 0; id < RESULTS_WAITING_COUNT + FLUSHES_AT_ONCE * FLUSH_COUNT; id++) made.add(result(id));
    let room = false;
    const waiting = made.room().then(() => {
      room = true;
    });
    await Promise.resolve();
    expect(room).toBe(false);
    first.open();
    await waiting;
    await made.drain();
  });
});

describe('what cannot be committed', () => {
  test('one result that the database refuses ends as internal_error; the others are committed', async () => {
    const committed: number[] = [];
    const { made, ended } = recorded(async (results) => {
      if (results.some(({ id, end }) => id === 7 && end.kind !== 'failure')) throw failing('22P05');
      committed.push(...results.map(({ id }) => id));
      return report;
    });
    for (let id = 0; id < 20; id++) made.add(result(id));
    await made.drain();
    expect(committed.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, id) => id));
    expect(ended.every(({ committed: is }) => is)).toBe(true);
  });

  test('a result that is refused even as a failure is given up; its lease will expire', async () => {
    const { made, ended, errors } = recorded(async (results) => {
      if (results.some(({ id }) => id === 1)) throw failing('23514');
      return report;
    });
    made.add(result(0));
    made.add(result(1));
    await made.drain();
    expect(ended).toContainEqual({ id: 0, committed: true });
    expect(ended).toContainEqual({ id: 1, committed: false });
    expect(errors.length).toBeGreaterThan(0);
  });

  test('a database that is away is waited for, with the batch whole', async () => {
    let tries = 0;
    const { made, ended } = recorded(async (results) => {
      expect(results).toHaveLength(3);
      if (++tries === 1) throw failing('57P01');
      return report;
    });
    for (let id = 0; id < 3; id++) made.add(result(id));
    await made.drain();
    expect(tries).toBe(2);
    expect(ended.every(({ committed }) => committed)).toBe(true);
  });
});

test.each([
  [failing('57P01'), true],
  [failing('08006'), true],
  [failing('53300'), true],
  [failing('40P01'), true],
  [failing('ECONNREFUSED'), true],
  [new Error('Connection terminated unexpectedly'), true],
  [failing('22P05'), false],
  [failing('23505'), false],
  [new Error('an attempt out of turn'), false],
  ['not an error', false],
])('%s: may succeed later is %s', (thrown, expected) => {
  expect(isUnavailable(thrown)).toBe(expected);
});

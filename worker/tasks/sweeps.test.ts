import { expect, test } from 'vitest';
import type { Facts, Log } from '../log.ts';
import { runSweeps, type Sweep } from './sweeps.ts';

test('a sweep that fails stops no other, and is told by its name alone', async () => {
  const stop = new AbortController();
  const told: { event: string; facts: Facts | undefined }[] = [];
  const log: Log = {
    info: (event, facts) => told.push({ event, facts }),
    warn: () => expect.unreachable(),
    thrown: (event, _error, facts) => told.push({ event, facts }),
  };
  let passes = 0;
  const failing: Sweep = {
    name: 'failing',
    everyMs: 1,
    run: async () => {
      throw new Error('with canary-turnip in its words');
    },
  };
  const working: Sweep = {
    name: 'working',
    everyMs: 0,
    run: async () => {
      if (++passes === 3) stop.abort();
      return passes;
    },
  };
  await runSweeps([failing, working], { signal: stop.signal, log });
  expect(passes).toBe(3);
  expect(told.filter(({ event }) => event === 'sweep_failed')).toEqual([
    { event: 'sweep_failed', facts: { sweep: 'failing' } },
  ]);
  expect(told.filter(({ event }) => event === 'swept').map(({ facts }) => facts?.count)).toEqual([1, 2, 3]);
});

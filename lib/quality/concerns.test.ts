import { expect, test } from 'vitest';
import { concerns } from './concerns.ts';

const run = {
  id: 'r',
  name: 'nightly',
  state: 'running',
  pauseReason: null,
  scheduled: false,
  pending: 3,
  leased: 1,
} as const;
const worker = {};

test.each([
  ['a running run with a worker', [worker], [run], []],
  ['no worker and nothing to do', [], [{ ...run, pending: 0, leased: 0 }], []],
  ['no worker and a run that waits for its time', [], [{ ...run, scheduled: true }], []],
  ['no worker and a run that was paused by hand', [], [{ ...run, state: 'paused', pauseReason: 'operator' }], []],
  ['no worker and items waiting', [], [run, run], [{ kind: 'no_worker', items: 8 }]],
  [
    'a run that was stopped by its classifier',
    [worker],
    [{ ...run, state: 'paused', pauseReason: 'config_error' }],
    [{ kind: 'run_paused', runId: 'r', name: 'nightly', reason: 'config_error' }],
  ],
] as const)('%s', (_, workers, runs, expected) => {
  expect(concerns({ workers, runs })).toEqual(expected);
});

import { expect, test } from 'vitest';
import { loop, pause } from './loop.ts';

test('polls again at once after work and stops between two polls', async () => {
  const stop = new AbortController();
  let polls = 0;
  await loop(
    async () => {
      if (++polls === 3) stop.abort();
      return 0;
    },
    { signal: stop.signal, onError: () => expect.unreachable() },
  );
  expect(polls).toBe(3);
});

test('an abort ends the wait, not the poll', async () => {
  const stop = new AbortController();
  const seen: string[] = [];
  const running = loop(
    async () => {
      seen.push('begun');
      await Promise.resolve();
      seen.push('ended');
      queueMicrotask(() => stop.abort());
      return 3_600_000;
    },
    { signal: stop.signal, onError: () => expect.unreachable() },
  );
  await running;
  expect(seen).toEqual(['begun', 'ended']);
});

test('what a poll throws is told and the loop goes on', async () => {
  const stop = new AbortController();
  const told: unknown[] = [];
  await loop(
    async () => {
      throw new Error('down');
    },
    {
      signal: stop.signal,
      onError: (thrown) => {
        told.push(thrown);
        stop.abort();
      },
    },
  );
  expect(told).toHaveLength(1);
});

test('a pause that is aborted already is none', async () => {
  await pause(3_600_000, AbortSignal.abort());
});

import { expect, test } from 'vitest';
import { skipping } from './skipping.ts';

const LONG_MS = 60_000;

test('where nothing is passed over every lease begins with the oldest item', () => {
  const skip = skipping(() => 0);
  expect(skip.leased(200, true)).toBe(false);
  expect(skip.next()).toEqual({ sources: [], after: 0 });
});

test('with a closed source the next lease begins after the last item, and a new pass begins where one has ended', () => {
  const skip = skipping(() => 0);
  skip.setClosed(['forum']);
  expect(skip.leased(200, true)).toBe(false);
  expect(skip.next()).toEqual({ sources: ['forum'], after: 200 });
  expect(skip.leased(310, false)).toBe(false);
  expect(skip.next().after).toBe(0);
});

test('only a whole pass that gave nothing says that nothing is due', () => {
  const skip = skipping(() => 0);
  skip.setClosed(['forum']);
  skip.leased(200, true);
  expect(skip.leased(null, false)).toBe(false);
  expect(skip.leased(null, false)).toBe(true);
});

test('after an empty pass a run rests, until the time is over or another set of sources is passed over', () => {
  let now = 0;
  const skip = skipping(() => now);
  skip.setClosed(['forum']);
  skip.leased(null, false);
  expect(skip.rests()).toBe(true);
  skip.setClosed([]);
  expect(skip.rests()).toBe(false);
  skip.setClosed(['forum']);
  skip.leased(null, false);
  now += LONG_MS;
  expect(skip.rests()).toBe(false);
});

test('a run in which nothing is passed over never rests: something may be due at any moment', () => {
  const skip = skipping(() => 0);
  expect(skip.leased(null, false)).toBe(true);
  expect(skip.rests()).toBe(false);
});

test('a capped source is passed over for a while and then asked again', () => {
  let now = 0;
  const skip = skipping(() => now);
  skip.capped('forum');
  expect(skip.next().sources).toEqual(['forum']);
  now += LONG_MS;
  expect(skip.next().sources).toEqual([]);
});

import { expect, test } from 'vitest';
import { solitude } from './solitude.ts';

/** Lets everything run that can. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a lonely item waits for all that is under way and keeps everybody else waiting', async () => {
  const apart = solitude();
  const seen: string[] = [];
  await apart.together(2);
  const lonely = apart.alone().then((over) => {
    seen.push('alone');
    return over;
  });
  const others = apart.together(3).then(() => seen.push('together'));
  await settled();
  expect(seen).toEqual([]);
  apart.ended(1);
  await settled();
  expect(seen).toEqual([]);
  apart.ended(1);
  const over = await lonely;
  await settled();
  expect(seen).toEqual(['alone']);
  over();
  await others;
  expect(seen).toEqual(['alone', 'together']);
});

test('two lonely items are never under way together', async () => {
  const apart = solitude();
  let under = 0;
  const one = async (): Promise<void> => {
    const over = await apart.alone();
    expect(++under).toBe(1);
    await settled();
    under--;
    over();
  };
  await Promise.all([one(), one(), one()]);
  await apart.together(1);
});

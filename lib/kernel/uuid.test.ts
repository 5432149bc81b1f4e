import { expect, test } from 'vitest';
import { isUuid, looksLikeId } from './uuid.ts';

const ID = '0c1f4f5a-9e7b-4c1d-8a2b-3c4d5e6f7a8b';

test('an id of ours is lower case; what a person can only mean as one is any case', () => {
  expect([isUuid(ID), looksLikeId(ID)]).toEqual([true, true]);
  expect([isUuid(ID.toUpperCase()), looksLikeId(ID.toUpperCase())]).toEqual([false, true]);
});

test.each(['', `${ID} `, `\n${ID}`, `${ID}\n`, ID.slice(1), ID.replaceAll('-', ''), "'; DROP TABLE run; --"])(
  'no id: %j',
  (text) => {
    expect([isUuid(text), looksLikeId(text)]).toEqual([false, false]);
  },
);

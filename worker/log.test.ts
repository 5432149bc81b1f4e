import { expect, test } from 'vitest';
import { kindOf } from './log.ts';

test.each([
  [Object.assign(new Error('canary-turnip'), { code: '23505' }), '23505'],
  [Object.assign(new Error('canary-turnip'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [new TypeError('canary-turnip'), 'TypeError'],
  ['canary-turnip', 'unknown'],
])('an error is named by its kind, never by its words', (thrown, kind) => {
  expect(kindOf(thrown)).toBe(kind);
});

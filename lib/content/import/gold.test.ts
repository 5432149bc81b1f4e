import { describe, expect, test } from 'vitest';
import { parseJson } from '../../kernel/json.ts';
import { readGold } from './gold.ts';

function gold(json: string, contentType = 'comment') {
  const read = parseJson(json);
  if (!read.ok) throw new Error('the test writes bad JSON');
  const result = readGold(read.value, contentType);
  return result === null || result === 'bad' ? result : { ...result, values: { ...result.values } };
}

describe('gold is partial labels or one verdict', () => {
  test.each([
    ['{"spam":1,"hate":0}', { kind: 'label', values: { spam: 1, hate: 0 } }],
    ['"restrict"', { kind: 'verdict', values: { restrict: 1 } }],
    ['"SPAM"', { kind: 'verdict', values: { SPAM: 1 } }],
    ['{}', null],
    ['null', null],
  ])('%s', (json, expected) => {
    expect(gold(json)).toEqual(expected);
  });

  test('what a document is said to be is a tag', () => {
    expect(gold('{"invoice":1}', 'document')).toEqual({ kind: 'tag', values: { invoice: 1 } });
  });

  test.each([
    '{"spam":2}',
    '{"spam":true}',
    '{"spam":"1"}',
    '{"spam":1.0}',
    '{"spam":null}',
    '{"":1}',
    '{"a\\nb":1}',
    '{"\\ud83d":1}',
    `{"${'x'.repeat(129)}":1}`,
    '"spam"',
    '"Restrict"',
    '""',
    '1',
    '[]',
    'true',
  ])('%s is refused', (json) => {
    expect(gold(json)).toBe('bad');
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, JSON_DEPTH_MAX, JsonNumber, parseJson, plainJson } from './json.ts';

function read(text: string): unknown {
  const result = parseJson(text);
  return result.ok ? plainJson(result.value) : result.fault;
}

describe('what JSON is', () => {
  test('whatever JSON.stringify writes is read back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(read(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  test('no text is taken that JSON.parse refuses, and none crashes the reader', () => {
    const pieces = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ':',
        ',',
        '"',
        '\\',
        'a',
        '1',
        '0',
        '-',
        '.',
        'e',
        ' ',
        '\n',
        'null',
        'true',
        '\\u00',
        '\u0000',
      ],
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.array(pieces, { maxLength: 20 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const result = parseJson(text);
        if (result.ok) expect(plainJson(result.value)).toEqual(JSON.parse(text));
        else if (result.fault === 'invalid_json') expect(() => JSON.parse(text)).toThrow();
      }),
      { numRuns: 3_000 },
    );
  });

  test.each([
    ['01', 'a leading zero'],
    ['+1', 'a plus sign'],
    ['1.', 'a point without digits'],
    ['.5', 'a point without a whole part'],
    ['0x10', 'hexadecimal'],
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
    ["{'a':1}", 'single quotes'],
    ['{"a":1,}', 'a trailing comma'],
    ['[1,]', 'a trailing comma in an array'],
    ['{"a":1} {"b":2}', 'two values'],
    ['{"a" 1}', 'a missing colon'],
    ['"a\nb"', 'a raw newline in a string'],
    ['"\\x41"', 'an unknown escape'],
    ['"\\u12"', 'a short escape'],
    ['\u00a01', 'a no-break space'],
    ['\ufeff1', 'a byte order mark'],
    ['', 'nothing'],
    ['// a\n1', 'a comment'],
  ])('%j is refused: %s', (text) => {
    expect(read(text)).toBe('invalid_json');
  });
});

describe('what JSON.parse lets through', () => {
  test.each(['{"a":1,"a":2}', '{"a":1,"\\u0061":2}', '[{"b":{"c":1,"c":1}}]', '{"__proto__":1,"__proto__":2}'])(
    'a key twice is refused at every level and however it is written: %s',
    (text) => {
      expect(read(text)).toBe('duplicate_key');
    },
  );

  test('the offset of a repeated key is told', () => {
    expect(parseJson('{"a":1,"a":2}')).toEqual({ ok: false, fault: 'duplicate_key', at: 7 });
  });

  test.each(['9007199254740993', '1800000000000000001', '1e2', '-0', '1.0', '0.1000'])(
    'the number %s keeps the digits it was written with',
    (source) => {
      const result = parseJson(`{"n": ${source} }`);
      if (!result.ok || !isJsonObject(result.value)) throw new Error('not read');
      expect(result.value.n).toEqual(new JsonNumber(source));
    },
  );

  test('nesting is read to its limit and refused beyond it, however deep', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    expect(parseJson(nested(JSON_DEPTH_MAX)).ok).toBe(true);
    expect(read(nested(JSON_DEPTH_MAX + 1))).toBe('too_deep');
    expect(read('['.repeat(1_000_000))).toBe('too_deep');
  });

  test('a key named __proto__ is a key like others', () => {
    const result = parseJson('{"__proto__":{"polluted":true}}');
    if (!result.ok || !isJsonObject(result.value)) throw new Error('not read');
    expect(Object.keys(result.value)).toEqual(['__proto__']);
    expect('polluted' in {}).toBe(false);
  });

  test('a refusal says where and never what', () => {
    expect(parseJson('{"secret": oops}')).toEqual({ ok: false, fault: 'invalid_json', at: 11 });
  });
});

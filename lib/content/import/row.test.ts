import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../../kernel/hash.ts';
import { isJsonObject, type JsonValue, parseJson } from '../../kernel/json.ts';
import { ROW_CODES } from './fault.ts';
import { type RowFields, type RowOptions, readRow, TEXT_MAX_BYTES } from './row.ts';

const GOOD = { content_id: 'f:1', content_type: 'comment', revision: '1', source: 'forum', text: 'hello' };

function fieldsOf(json: string): RowFields {
  const read = parseJson(json);
  if (!read.ok || !isJsonObject(read.value)) throw new Error('the test writes bad JSON');
  return read.value;
}

function judge(members: object | string, options: RowOptions = {}) {
  return readRow(fieldsOf(typeof members === 'string' ? members : JSON.stringify(members)), options);
}

function faultOf(members: object | string, options: RowOptions = {}) {
  const result = judge(members, options);
  return result.ok ? null : [result.fault.code, result.fault.field];
}

function rowOf(members: object | string, options: RowOptions = {}) {
  const result = judge(members, options);
  if (!result.ok) throw new Error(`refused: ${result.fault.code}`);
  return result.row;
}

/** A row whose JSON is written by hand, for numbers that JSON.stringify would change. */
function withRaw(name: string, raw: string): string {
  const rest = Object.entries(GOOD).filter(([key]) => key !== name);
  return `{${[...rest.map(([key, value]) => `"${key}":${JSON.stringify(value)}`), `"${name}":${raw}`].join(',')}}`;
}

describe('a row is refused with its code and field', () => {
  test.each<[string, object | string, string, string | null]>([
    ['a JSON number as content_id', withRaw('content_id', '7'), 'bad_id', 'content_id'],
    ['a number beyond 2^53 as content_id', withRaw('content_id', '1800000000000000001'), 'bad_id', 'content_id'],
    ['a number as author_id', withRaw('author_id', '7'), 'bad_id', 'author_id'],
    ['a number as parent_id', withRaw('parent_id', '7'), 'bad_id', 'parent_id'],
    ['a number as thread_id', withRaw('thread_id', '7'), 'bad_id', 'thread_id'],
    ['an empty content_id', { ...GOOD, content_id: '' }, 'bad_id', 'content_id'],
    ['no content_id', { ...GOOD, content_id: undefined }, 'missing_field', 'content_id'],
    ['null as content_id', { ...GOOD, content_id: null }, 'missing_field', 'content_id'],
    ['a content_id of 513 bytes', { ...GOOD, content_id: `${'é'.repeat(256)}x` }, 'too_long', 'content_id'],
    ['a newline in content_id', { ...GOOD, content_id: 'a\nb' }, 'control_character', 'content_id'],
    ['DEL in content_id', { ...GOOD, content_id: 'a\u007f' }, 'control_character', 'content_id'],
    ['a C1 control in author_id', { ...GOOD, author_id: 'a\u0085' }, 'control_character', 'author_id'],
    ['half a surrogate pair in content_id', withRaw('content_id', '"\\ud83d"'), 'lone_surrogate', 'content_id'],
    ['an unknown content_type', { ...GOOD, content_type: 'video' }, 'bad_content_type', 'content_type'],
    ['a content_type in capitals', { ...GOOD, content_type: 'Post' }, 'bad_content_type', 'content_type'],
    ['no content_type', { ...GOOD, content_type: undefined }, 'missing_field', 'content_type'],
    ['no revision', { ...GOOD, revision: undefined }, 'missing_field', 'revision'],
    ['an empty revision', { ...GOOD, revision: '' }, 'bad_revision', 'revision'],
    ['a revision of 129 bytes', { ...GOOD, revision: 'r'.repeat(129) }, 'too_long', 'revision'],
    ['NUL in a revision', { ...GOOD, revision: '1\0' }, 'control_character', 'revision'],
    ['true as revision', withRaw('revision', 'true'), 'bad_revision', 'revision'],
    ['no source', { ...GOOD, source: undefined }, 'missing_field', 'source'],
    ['an empty source', { ...GOOD, source: '' }, 'missing_field', 'source'],
    ['no text', { ...GOOD, text: undefined }, 'missing_field', 'text'],
    ['null as text', { ...GOOD, text: null }, 'missing_field', 'text'],
    ['a number as text', withRaw('text', '5'), 'wrong_type', 'text'],
    ['NUL in text', { ...GOOD, text: 'be\0fore' }, 'control_character', 'text'],
    ['an escape character in text', { ...GOOD, text: '\u001b[31m' }, 'control_character', 'text'],
    ['a bell in title', { ...GOOD, title: '\u0007' }, 'control_character', 'title'],
    ['NUL in parent_text', { ...GOOD, parent_text: '\0' }, 'control_character', 'parent_text'],
    ['NUL in author_name', { ...GOOD, author_name: 'u\0' }, 'control_character', 'author_name'],
    ['half a surrogate pair in text', withRaw('text', '"a\\ude00b"'), 'lone_surrogate', 'text'],
    ['text over 1 MiB', { ...GOOD, text: 'x'.repeat(TEXT_MAX_BYTES + 1) }, 'too_long', 'text'],
    ['text over 1 MiB only in bytes', { ...GOOD, text: `${'é'.repeat(TEXT_MAX_BYTES / 2)}x` }, 'too_long', 'text'],
    ['an object as title', { ...GOOD, title: {} }, 'wrong_type', 'title'],
    ['a number as created_at', withRaw('created_at', '1793527200'), 'wrong_type', 'created_at'],
    ['a time without zone', { ...GOOD, created_at: '2026-11-01 10:00:00' }, 'bad_instant', 'created_at'],
    ['a newline in url', { ...GOOD, url: 'http://a\n' }, 'control_character', 'url'],
    ['gold that is a list', { ...GOOD, gold: ['spam'] }, 'bad_gold', 'gold'],
    ['a field nobody knows', { ...GOOD, author: 'x' }, 'unknown_field', 'author'],
    ['a field whose name is content', { ...GOOD, 'what a stranger wrote': 1 }, 'unknown_field', null],
  ])('%s', (_, members, code, field) => {
    expect(faultOf(members)).toEqual([code, field]);
  });

  test.each(['-1', '-0', '1.0', '1e2', '9007199254740992', '9007199254740993', '1800000000000000001'])(
    'the number %s is no revision',
    (raw) => {
      expect(faultOf(withRaw('revision', raw))).toEqual(['bad_revision', 'revision']);
    },
  );
});

describe('a row is taken as it is', () => {
  test.each([
    ['0', '0'],
    ['1', '1'],
    ['9007199254740991', '9007199254740991'],
    ['"01"', '01'],
    ['"1.0"', '1.0'],
    ['"9007199254740993"', '9007199254740993'],
  ])('revision %s is %j', (raw, revision) => {
    expect(rowOf(withRaw('revision', raw)).revision).toBe(revision);
  });

  test('ids that look alike stay apart: nothing is trimmed, folded or read as a number', () => {
    const ids = ['007', '7', '0x1F', ' 7 ', 'true', 'A', 'a', 'é', 'e\u0301'];
    expect(new Set(ids.map((id) => rowOf({ ...GOOD, content_id: id }).contentId))).toEqual(new Set(ids));
  });

  test('a content_id of exactly 512 bytes is taken, one of 1 byte too', () => {
    expect(rowOf({ ...GOOD, content_id: 'é'.repeat(256) }).contentId).toHaveLength(256);
    expect(rowOf({ ...GOOD, content_id: '0' }).contentId).toBe('0');
  });

  test('tab, LF, CR and everything above C0 stay in text, and the hash is over exactly these bytes', () => {
    const text = 'a\tb\r\nc\u007f\u0085\u200d😀 ';
    const row = rowOf({ ...GOOD, text });
    expect(row).toMatchObject({
      text,
      textSha256: sha256Hex(text),
      textBytes: Buffer.byteLength(text),
      codePoints: 11,
    });
  });

  test('empty text is text', () => {
    expect(rowOf({ ...GOOD, text: '' })).toMatchObject({ text: '', textBytes: 0, codePoints: 0 });
  });

  test('null and absent are the same, an empty title is a title', () => {
    const absent = rowOf(GOOD);
    expect(rowOf({ ...GOOD, title: null, gold: null, created_at: null })).toEqual(absent);
    expect(rowOf({ ...GOOD, title: '' }).inputSha256).not.toBe(absent.inputSha256);
  });

  test('metadata outside the hash does not change it', () => {
    const more = {
      author_id: 'u',
      parent_id: 'p',
      thread_id: 't',
      url: 'http://x',
      language: 'de',
      created_at: '2026-01-01T00:00:00Z',
    };
    expect(rowOf({ ...GOOD, ...more }).inputSha256).toBe(rowOf(GOOD).inputSha256);
  });

  test('eight texts that a normalising hash would confuse have eight hashes', () => {
    const texts = [
      'caf\u00e9',
      'cafe\u0301',
      'ban if error > 1%',
      'ban if error < 1%',
      'a\r\nb',
      'a\nb',
      'trail ',
      'trail',
    ];
    expect(new Set(texts.map((text) => rowOf({ ...GOOD, text }).inputSha256)).size).toBe(8);
  });
});

describe('what the import says for all rows', () => {
  test('a source is given to rows without one; their own wins', () => {
    expect(rowOf({ ...GOOD, source: undefined }, { source: 'given' }).source).toBe('given');
    expect(rowOf(GOOD, { source: 'given' }).source).toBe('forum');
  });

  test('an id prefix stands before the ids of the platform and not before those of people', () => {
    const row = rowOf({ ...GOOD, parent_id: 'p', thread_id: 't', author_id: 'u' }, { idPrefix: 'x:' });
    expect(row).toMatchObject({ contentId: 'x:f:1', parentId: 'x:p', threadId: 'x:t', authorId: 'u' });
  });

  test('the prefix counts in the length of an id', () => {
    expect(faultOf({ ...GOOD, content_id: 'i'.repeat(511) }, { idPrefix: 'ab' })).toEqual(['too_long', 'content_id']);
  });
});

test('any row whatever is either taken or refused with a known code that does not repeat its content', () => {
  const member = fc.oneof(
    fc.constantFrom<JsonValue>(null, true, '', '1', 'comment', 'post'),
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.dictionary(fc.string({ maxLength: 5 }), fc.constantFrom(0, 1, 2)),
    fc.integer(),
  );
  const names = fc.constantFrom(...Object.keys(GOOD), 'title', 'gold', 'author_id', 'created_at', 'x');
  fc.assert(
    fc.property(fc.dictionary(names, member), (changed) => {
      const members = { ...GOOD, ...changed };
      const result = judge(members);
      if (result.ok) expect(result.row.text).toBe(members.text);
      else {
        expect(ROW_CODES).toContain(result.fault.code);
        expect([...Object.keys(members), null]).toContain(result.fault.field);
      }
    }),
    { numRuns: 1_000 },
  );
});

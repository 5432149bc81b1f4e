import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonNumber } from '../../kernel/json.ts';
import { type InputPart, inputRows } from './input-rows.ts';
import { ROW_MAX_BYTES } from './row.ts';
import { emptyTally } from './tally.ts';

async function* chunked(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(content: string | Uint8Array, { name = 'x.ndjson', size = 65_536, hasSource = true } = {}) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const tally = emptyTally();
  const input = { name, sizeBytes: bytes.length, bytes: () => chunked(bytes, size) };
  const parts: InputPart[] = [];
  for await (const part of inputRows(input, { format: undefined, hasSource }, tally)) parts.push(part);
  const rows = parts.flatMap((part) => (part.kind === 'rows' ? part.rows : []));
  const problem = parts.find((part) => part.kind === 'problem')?.problem ?? null;
  const form = parts.find((part) => part.kind === 'form')?.form ?? null;
  return { rows, problem, form, tally };
}

/** Each row in short: its line and its content_id or fault. */
async function short(content: string | Uint8Array, options: Parameters<typeof read>[1] = {}) {
  const { rows } = await read(content, options);
  return rows.map((row) => ('fault' in row ? [row.line, row.fault.code] : [row.line, row.fields.content_id]));
}

describe('NDJSON', () => {
  test('CRLF, blank lines and a last line without newline are read, with physical line numbers', async () => {
    const content = '{"content_id":"1"}\r\n\r\n   \r\n{"content_id":"2"}\r\n{"content_id":"3"}';
    expect(await short(content)).toEqual([
      [1, '1'],
      [4, '2'],
      [5, '3'],
    ]);
    expect((await read(content)).tally).toEqual({ blankLines: 2, truncated: false, unreadableFrom: null });
  });

  test('one byte order mark is stripped, a second one is not', async () => {
    expect(await short('\ufeff{"content_id":"1"}\n', { size: 1 })).toEqual([[1, '1']]);
    expect(await short('\ufeff\ufeff{"content_id":"1"}\n')).toEqual([[1, 'invalid_json']]);
  });

  test('each bad line is told by itself and the others are read', async () => {
    const content = Buffer.concat([
      Buffer.from('{"content_id":"1"}\n{"content_id":"2"\n[1,2]\n"string"\n{"content_id":"a","content_id":"b"}\n'),
      Buffer.from([0x7b, 0xff, 0x7d, 0x0a]),
      Buffer.from('{"content_id":"7"}\n'),
    ]);
    expect(await short(content)).toEqual([
      [1, '1'],
      [2, 'invalid_json'],
      [3, 'wrong_type'],
      [4, 'wrong_type'],
      [5, 'duplicate_key'],
      [6, 'invalid_utf8'],
      [7, '7'],
    ]);
  });

  test('a last line that is cut off is flagged, a whole one without newline is not', async () => {
    expect((await read('{"content_id":"1"}\n{"content_id":"2","text":"cut in')).tally.truncated).toBe(true);
    expect((await read('{"content_id":"1"}\n{"content_id":"2"}')).tally.truncated).toBe(false);
    expect((await read('{"content_id":"1"}\nrubbish\n')).tally.truncated).toBe(false);
  });

  test('a row beyond 2 MiB is refused by its line and does not hide the next', async () => {
    const content = `{"content_id":"1","text":"${'x'.repeat(ROW_MAX_BYTES)}"}\n{"content_id":"2"}\n`;
    expect(await short(content)).toEqual([
      [1, 'row_too_large'],
      [2, '2'],
    ]);
  });

  test('a number keeps the digits it was written with', async () => {
    const { rows } = await read('{"content_id":1800000000000000001}\n');
    expect(rows[0]).toMatchObject({ fields: { content_id: new JsonNumber('1800000000000000001') } });
  });

  test('a platform archive is refused as a whole', async () => {
    expect((await read('window.YTD.tweets.part0 = [\n{}\n]')).problem).toEqual({
      code: 'not_ndjson',
      looksLike: 'javascript',
    });
  });
});

describe('CSV', () => {
  const HEADER = 'content_id,content_type,revision,text';
  const csv = { name: 'x.csv' };

  test('quotes, doubled quotes, CRLF and cells over several lines, with the line a row begins on', async () => {
    const content = `${HEADER}\r\n1,post,1,"a ""b""\r\nc"\r\n\r\n2,post,1,plain\r\n  \r\n3,post,1,last`;
    const { rows, tally } = await read(content, csv);
    expect(rows.map((row) => ('fields' in row ? [row.line, row.fields.content_id, row.fields.text] : row))).toEqual([
      [2, '1', 'a "b"\r\nc'],
      [5, '2', 'plain'],
      [7, '3', 'last'],
    ]);
    expect(tally).toEqual({ blankLines: 2, truncated: false, unreadableFrom: null });
  });

  test('every cell is a string and none is trimmed', async () => {
    const { rows } = await read(`${HEADER}\n007,post,01," 7 "\n`, csv);
    expect(rows[0]).toMatchObject({ fields: { content_id: '007', revision: '01', text: ' 7 ' } });
  });

  test('an empty optional cell is absent, an empty text is text', async () => {
    const { rows } = await read(`${HEADER},title,source\n1,post,1,,,\n`, csv);
    expect(rows[0]).toEqual({ line: 2, fields: { content_id: '1', content_type: 'post', revision: '1', text: '' } });
  });

  test('a byte order mark is no part of the first column', async () => {
    for (const size of [1, 2, 3, 64])
      expect(await short(`\ufeff${HEADER}\n1,post,1,a\n`, { ...csv, size })).toEqual([[2, '1']]);
  });

  test.each([
    [';', ';'],
    ['\t', '\t'],
    [',', ','],
  ])('a header separated by %j says so', async (delimiter, found) => {
    const content = `${HEADER}\n1,post,1,"a; b"\n`.replaceAll(',', delimiter);
    const { rows, form } = await read(content, csv);
    expect(form).toEqual({ format: 'csv', delimiter: found });
    expect(rows[0]).toMatchObject({ fields: { text: 'a; b' } });
  });

  test.each([
    ['content_id,content_type,revision,text,author', { problem: 'unknown_column', column: 'author' }],
    ['content_id,content_type,revision,text,"a b"', { problem: 'unknown_column', column: null }],
    ['content_id,content_type,revision,text, title', { problem: 'unknown_column', column: null }],
    ['content_id,content_type,revision,text,text', { problem: 'repeated_column', column: 'text' }],
    ['content_id,content_type,revision', { problem: 'missing_column', column: 'text' }],
    ['content_id,content_type,revision,text,gold.', { problem: 'unknown_column', column: 'gold.' }],
    ['a|b', { problem: 'unknown_column', column: null }],
    ['"content_id', { problem: 'broken_quotes', column: null }],
    ['', { problem: 'empty', column: null }],
  ])('the header %j stops the import before row 1', async (header, problem) => {
    const { rows, problem: found } = await read(`${header}\n1,post,1,a,b\n`.replace(/^\n.*/s, ''), csv);
    expect(found).toEqual({ code: 'bad_header', header: problem });
    expect(rows).toEqual([]);
  });

  test('without a source column the import must name one', async () => {
    const { problem } = await read(`${HEADER}\n1,post,1,a\n`, { ...csv, hasSource: false });
    expect(problem).toEqual({ code: 'bad_header', header: { problem: 'no_source', column: 'source' } });
  });

  test('too few and too many cells are ragged, bytes that are no UTF-8 are told with their column', async () => {
    const content = Buffer.concat([
      Buffer.from(`${HEADER}\n1,post,1\n2,post,1,a,b\n`),
      Buffer.from('3,post,1,'),
      Buffer.from([0xc3, 0x28, 0x0a]),
      Buffer.from('4,post,1,ok\n'),
    ]);
    const { rows } = await read(content, csv);
    expect(rows.map((row) => ('fault' in row ? [row.line, row.fault.code, row.fault.field] : [row.line]))).toEqual([
      [2, 'ragged_row', null],
      [3, 'ragged_row', null],
      [4, 'invalid_utf8', 'text'],
      [5],
    ]);
  });

  test('a broken quote ends the reading where it stands: what follows is not guessed', async () => {
    const closed = await read(`${HEADER}\n1,post,1,a\n2,post,1,"b"c\n3,post,1,d\n`, csv);
    expect(closed.rows.map((row) => row.line)).toEqual([2, 3]);
    expect(closed.rows[1]).toMatchObject({ fault: { code: 'invalid_csv' } });
    expect(closed.tally).toMatchObject({ truncated: false, unreadableFrom: 3 });
    const open = await read(`${HEADER}\n1,post,1,a\n2,post,1,"b\n3,post,1,d\n`, csv);
    expect(open.rows[1]).toMatchObject({ line: 3, fault: { code: 'invalid_csv' } });
    expect(open.tally).toMatchObject({ truncated: true, unreadableFrom: 3 });
  });

  test('a row beyond 2 MiB is refused by its line and does not hide the next', async () => {
    const content = `${HEADER}\n1,post,1,${'x'.repeat(ROW_MAX_BYTES)}\n2,post,1,a\n`;
    expect(await short(content, csv)).toEqual([
      [2, 'row_too_large'],
      [3, '2'],
    ]);
  });

  test('gold is a cell of its own or a column for each label, never both', async () => {
    const { rows } = await read(
      `${HEADER},gold,gold.spam,gold.hate\n1,post,1,a,restrict,,\n2,post,1,a,"{""spam"":1}",,\n3,post,1,a,,1,\n4,post,1,a,,yes,0\n5,post,1,a,restrict,1,\n6,post,1,a,,,\n`,
      csv,
    );
    expect(rows.map((row) => ('fields' in row ? row.fields.gold : row))).toEqual([
      'restrict',
      { spam: new JsonNumber('1') },
      { spam: new JsonNumber('1') },
      { spam: 'yes', hate: new JsonNumber('0') },
      [],
      undefined,
    ]);
  });

  test('NDJSON under the name of CSV is refused as a whole', async () => {
    expect((await read('{"content_id":"1"}\n', csv)).problem).toEqual({ code: 'not_csv', looksLike: 'ndjson' });
  });
});

test('the rows of a file do not depend on its chunks, and no bytes crash the reader', async () => {
  const piece = fc.constantFrom(
    ...[
      '{"content_id":"1","text":"中文😀—é"}',
      '{',
      '}',
      '\n',
      '\r\n',
      '"',
      ',',
      'content_id,content_type,revision,text',
      '1,post,1,"a"',
      ' ',
    ].map((text) => Buffer.from(text)),
    Buffer.from([0xff]),
    Buffer.from([0xef, 0xbb, 0xbf]),
    Buffer.from([0xf0, 0x9f]),
  );
  const content = fc.array(piece, { maxLength: 12 }).map((parts) => Buffer.concat(parts));
  await fc.assert(
    fc.asyncProperty(content, fc.constantFrom('x.ndjson', 'x.csv'), async (bytes, name) => {
      const whole = await read(bytes, { name });
      for (const size of [1, 2, 3, 5, 7, 64]) expect(await read(bytes, { name, size })).toEqual(whole);
    }),
    { numRuns: 150 },
  );
});

import { describe, expect, test } from 'vitest';
import { formatOf, looksLikeAnother } from './sniff.ts';

const ROW = '{"content_id":"1"}';

describe('what is handed in by mistake', () => {
  test.each([
    ['[\n {"content_id":"1"},\n {"content_id":"2"}\n]\n', 'json_array'],
    ['[{"content_id":"1"},{"content_id":"2"}]', 'json_array'],
    ['\n  [\n', 'json_array'],
    ['window.YTD.tweets.part0 = [\n {"tweet":{}}\n]', 'javascript'],
    ['var data = {"a":1}', 'javascript'],
    ['{\n  "content_id": "1"\n}\n', 'json_document'],
    ['content_id,text\n1,a\n', 'csv'],
    ['"content_id";"text"\n', 'csv'],
    ['<!doctype html>\n<p>', 'markup'],
    ['\u001f\u008b\u0008', 'gzip'],
    ['PK\u0003\u0004', 'zip'],
    ['\u00ff\u00fe{\0', 'utf16'],
  ])('%j is not NDJSON but %s', (head, kind) => {
    expect(looksLikeAnother(Buffer.from(head, 'latin1'), 'ndjson', true)).toBe(kind);
  });

  test.each([
    ['[{"a":1}]', 'json_array'],
    [`${ROW}\n`, 'ndjson'],
    ['PK\u0003\u0004', 'zip'],
  ])('%j is not CSV but %s', (head, kind) => {
    expect(looksLikeAnother(Buffer.from(head, 'latin1'), 'csv', true)).toBe(kind);
  });

  test.each([`${ROW}\n${ROW}\n`, `[1,2]\n${ROW}\n`, `"string"\n${ROW}\n`, 'oops\n', '', '\n\n', ROW])(
    '%j may be NDJSON: what is wrong with a row is said of the row',
    (head) => {
      expect(looksLikeAnother(Buffer.from(head), 'ndjson', true)).toBeNull();
    },
  );

  test('a first line that is longer than what is looked at speaks against nothing', () => {
    expect(looksLikeAnother(Buffer.from(`{"content_id":"1","text":"${'x'.repeat(1_000)}`), 'ndjson', false)).toBeNull();
    expect(looksLikeAnother(Buffer.from(`[{"content_id":"1","text":"${'x'.repeat(1_000)}`), 'ndjson', false)).toBe(
      'json_array',
    );
  });
});

test.each([
  ['a.csv', 'csv'],
  ['A.CSV', 'csv'],
  ['a.tsv', 'csv'],
  ['a.ndjson', 'ndjson'],
  ['a.jsonl', 'ndjson'],
  ['a.csv.json', 'ndjson'],
  ['a', 'ndjson'],
])('the ending of %s says %s', (name, format) => {
  expect(formatOf(name)).toBe(format);
});

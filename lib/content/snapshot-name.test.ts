import { expect, test } from 'vitest';
import { defaultSnapshotName, isSnapshotName } from './snapshot-name.ts';

test.each(['forum-2024', 'ä ö', 'x'.repeat(200)])('%j may name a snapshot', (name) => {
  expect(isSnapshotName(name)).toBe(true);
});

test.each(['', 'x'.repeat(201), 'a\nb', '\u001b[31m', 'ba6f8942-2f16-4665-9891-86a0827225c2'])('%j may not', (name) => {
  expect(isSnapshotName(name)).toBe(false);
});

test.each([
  ['/somewhere/else/my file.ndjson', 'my-file-0123abcd'],
  ['a.b.csv', 'a.b-0123abcd'],
  ['C:\\files\\x.json', 'x-0123abcd'],
  ['.ndjson', 'import-0123abcd'],
  ['日本.ndjson', '--0123abcd'],
])('%s without a name becomes %s', (file, name) => {
  expect(defaultSnapshotName(file, `0123abcd${'0'.repeat(56)}`)).toBe(name);
  expect(isSnapshotName(name)).toBe(true);
});

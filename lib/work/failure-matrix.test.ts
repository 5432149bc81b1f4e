import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { consequence, FAILURES, type FailureCode } from '../classifier/failure.ts';
import { EFFECTS } from './effect.ts';
import { BORN_CLOSED, ITEM_STATES } from './item-state.ts';
import { PAUSE_REASONS, RUN_STATES } from './run-state.ts';

/** docs/failure-matrix.md says of every fault which test shows it: here that is held against the tests themselves. */

const ROOT = path.resolve(import.meta.dirname, '../..');
const PAGE = readFileSync(path.join(ROOT, 'docs/failure-matrix.md'), 'utf8');
const CODES = Object.keys(FAILURES) as FailureCode[];
/** How the page begins what it says of a code, by what follows it. */
const OPENINGS = {
  retry: 'Tried again',
  wait: 'Waits',
  once_more: 'One more attempt',
  final: 'Final:',
  pause: 'The run pauses',
  drop: 'Dropped:',
} as const;

type Row = { readonly fault: string; readonly becomes: string; readonly shownBy: string };
type Cited = { readonly file: string; readonly title: string };

const rows: readonly Row[] = PAGE.split('\n').flatMap((line, at, lines) => {
  const isHead = /^\| ---/.test(lines[at + 1] ?? '');
  if (!line.startsWith('|') || isHead || /^\| ---/.test(line)) return [];
  const [fault = '', becomes = '', shownBy = '', ...more] = line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
  if (more.length > 0 || !line.endsWith(' |')) throw new Error(`not three columns: ${line}`);
  return [{ fault, becomes, shownBy }];
});

/** @throws where the third column is anything but tests. */
function citedBy({ shownBy }: Row): Cited[] {
  return shownBy.split('<br>').map((part) => {
    const [, file, title] = /^`([^`]+)`: `([^`]+)`$/.exec(part) ?? [];
    if (file === undefined || title === undefined) throw new Error(`names no test: ${part}`);
    return { file, title };
  });
}

const texts = new Map<string, string | null>();
function textOf(file: string): string | null {
  const known = texts.get(file);
  if (known !== undefined) return known;
  const at = path.join(ROOT, file);
  const text = existsSync(at) ? readFileSync(at, 'utf8') : null;
  texts.set(file, text);
  return text;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * A title is the whole text of a literal that is an argument of a call or begins a row of a table; a short mark and a
 * colon may stand before it.
 */
function isTitleIn(text: string, title: string): boolean {
  return new RegExp(`[([]\\s*(['"\`])(?:\\w+: )?${escaped(title)}\\1`).test(text);
}

const codesIn = (text: string): string[] => [...text.matchAll(/`([a-z]+(?:_[a-z]+)*)`/g)].map(([, word]) => word ?? '');

test('the page has rows in every group', () => {
  expect(PAGE.match(/^## .+$/gm)).toHaveLength(11);
  expect(rows.length).toBeGreaterThan(150);
});

test.each(rows.map((row) => [row.fault, row] as const))('%s: its tests are there', (_, row) => {
  const missing = citedBy(row).filter(({ file, title }) => {
    const text = /\.test\.tsx?$/.test(file) ? textOf(file) : null;
    return text === null || !isTitleIn(text, title) || /\.(?:skip|todo|only)\(/.test(text);
  });
  expect(missing).toEqual([]);
});

test('no row stands twice, and none names a test twice', () => {
  const faults = rows.map(({ fault }) => fault);
  expect(faults.filter((fault, at) => faults.indexOf(fault) !== at)).toEqual([]);
  for (const row of rows)
    expect([row.fault, new Set(row.shownBy.split('<br>')).size]).toEqual([row.fault, citedBy(row).length]);
});

describe('every code', () => {
  const told = new Map(rows.map((row) => [/^`(\w+)`$/.exec(row.fault)?.[1] ?? '', row]));

  test.each(CODES)('%s has a row of its own that says what follows it, and stands among the faults', (code) => {
    const { follows, spends } = consequence(code);
    const row = told.get(code);
    expect(row?.becomes.startsWith(OPENINGS[follows])).toBe(true);
    expect([row?.becomes.includes('An attempt is spent'), row?.becomes.includes('Nothing is spent')]).toEqual([
      spends,
      !spends,
    ]);
    const elsewhere = rows.filter(
      (other) => other !== row && codesIn(`${other.fault} ${other.becomes}`).includes(code),
    );
    expect(elsewhere).not.toEqual([]);
  });

  test('what is born closed, every reason to pause and every barrier of the fire is told', () => {
    const barriers = [...(textOf('worker/testing/fire/barriers.ts') ?? '').matchAll(/^ {2}'(\w+)',$/gm)].map(
      ([, name]) => name,
    );
    const exports = /EXPORT_BARRIERS = \[([^\]]+)\]/.exec(textOf('worker/testing/fire/barriers.ts') ?? '')?.[1] ?? '';
    const all = [...barriers, ...[...exports.matchAll(/'(\w+)'/g)].map(([, name]) => name)];
    expect(all).toHaveLength(8);
    const reasons = PAUSE_REASONS.filter((reason) => reason !== 'operator' && reason !== 'incident');
    const missing = [...BORN_CLOSED, ...reasons, ...all].filter((word) => !codesIn(PAGE).includes(word ?? ''));
    expect(missing).toEqual([]);
  });
});

test('a word in the form of a code is a code, a state, an effect, or stands in a test of its row', () => {
  const known = new Set<string>([
    ...CODES,
    ...BORN_CLOSED,
    ...ITEM_STATES,
    ...RUN_STATES,
    ...PAUSE_REASONS,
    ...EFFECTS,
  ]);
  const barriers = textOf('worker/testing/fire/barriers.ts') ?? '';
  const unknown = rows.flatMap((row) =>
    codesIn(`${row.fault} ${row.becomes}`).filter((word) => {
      if (known.has(word) || barriers.includes(`'${word}'`)) return false;
      return !citedBy(row).some(({ file }) => new RegExp(`\\b${word}\\b`).test(textOf(file) ?? ''));
    }),
  );
  expect(unknown).toEqual([]);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CorpusRow,
  foldOf,
  groupKey,
  mergeDuplicates,
  type PermittedSet,
  parseCorpusLine,
  splitRows,
  trainingTruth,
} from './corpus.ts';
import { BUILTIN_LABELS } from './labels.ts';
import { SEED_SETS, seedRows } from './seeds/rows.ts';

function row(
  text: string,
  set: PermittedSet = 'davidson',
  source = `${set}/a`,
  gold: CorpusRow['gold'] = {},
): CorpusRow {
  return { id: text, set, source, text, gold };
}

describe('parseCorpusLine', () => {
  const line = { content_id: 'davidson:1', source: 'davidson/tweets', text: 'x', gold: { hate: 0 } };
  test('reads a row and keeps an absent label absent', () => {
    expect(parseCorpusLine(JSON.stringify(line)).gold).toEqual({ hate: 0 });
  });
  test.each(['stormfront/x', 'wiki-talk/x', 'conlang/x', 'hatecheck/slur_h', 'mhc/x', 'unknown'])(
    'refuses a set that may not be trained on: %s',
    (source) => {
      expect(() => parseCorpusLine(JSON.stringify({ ...line, source }))).toThrow('not permitted');
    },
  );
  test.each([
    ['a label it does not know', { ...line, gold: { rude: 1 } }],
    ['gold other than 0 and 1', { ...line, gold: { hate: 2 } }],
    ['no text', { ...line, text: undefined }],
    ['an id that is a number', { ...line, content_id: 7 }],
  ])('refuses %s', (_, bad) => {
    expect(() => parseCorpusLine(JSON.stringify(bad))).toThrow('not a labelled row');
  });
  test('an error never repeats the text', () => {
    expect(() => parseCorpusLine('{"text": "secret words"')).toThrow(/^not a labelled row: no JSON$/);
  });
});

describe('mergeDuplicates', () => {
  test('unites what is known and drops what is disputed', () => {
    const merged = mergeDuplicates([
      row('same', 'openai-mod', 'openai-mod/x', { hate: 1, sexual: 0 }),
      row('same', 'openai-mod', 'openai-mod/x', { hate: 0, violence: 1 }),
      row('same', 'openai-mod', 'openai-mod/x', { hate: 1 }),
    ]);
    expect(merged.map(({ gold }) => gold)).toEqual([{ sexual: 0, violence: 1 }]);
  });
  test('the same text in another set is another row', () => {
    expect(mergeDuplicates([row('same'), row('same', 'edos')])).toHaveLength(2);
  });
});

describe('splitRows', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('Win 100 now', 'win 250 NOW!', 'hello', 'Hello.', '', '!!'));
  const anyRow = fc
    .record({
      text,
      set: fc.constantFrom('davidson', 'sms-spam', 'youtube-spam'),
      part: fc.constantFrom('a', 'b', 'c'),
    })
    .map(({ text: words, set, part }) => row(words, set as PermittedSet, `${set}/${part}`));

  test('never trains on a held-back row or a near-duplicate of one', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 60 }), fc.nat(), (rows, seed) => {
        const { training, heldBack, droppedCount } = splitRows(rows, seed, 0.3);
        const held = new Set(heldBack.map((kept) => groupKey(kept.text)));
        expect(training.filter((kept) => held.has(groupKey(kept.text)))).toEqual([]);
        expect(training.length + heldBack.length + droppedCount).toBe(rows.length);
      }),
    );
  });
  test('does not depend on the order of rows', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 40 }), fc.nat(), (rows, seed) => {
        const there = splitRows(rows, seed, 0.3).heldBack;
        const back = splitRows([...rows].reverse(), seed, 0.3).heldBack;
        expect([...back].reverse()).toEqual(there);
      }),
    );
  });
  test('holds back the comments of a video together, and at least one video', () => {
    const rows = ['a', 'b', 'c'].flatMap((video) =>
      Array.from({ length: 30 }, (_, i) =>
        row(`comment ${video} ${'x'.repeat(i)}`, 'youtube-spam', `youtube-spam/${video}`),
      ),
    );
    const { training, heldBack } = splitRows(rows, 5, 0.2);
    const held = new Set(heldBack.map(({ source }) => source));
    expect(held.size).toBe(1);
    expect(training.some(({ source }) => held.has(source))).toBe(false);
  });
  test('holds back about the share that was asked for', () => {
    const rows = Array.from({ length: 5000 }, (_, i) =>
      row(`${i.toString(26).replace(/\d/g, (d) => 'qrstuvwxyz'[+d] ?? '')} text`),
    );
    const { heldBack } = splitRows(rows, 9, 0.2);
    expect(heldBack.length / rows.length).toBeGreaterThan(0.15);
    expect(heldBack.length / rows.length).toBeLessThan(0.25);
  });
});

test('near-duplicates fall into one fold, and so do the comments under one video', () => {
  expect(foldOf(row('Win 100 now!'), 5)).toBe(foldOf(row('win 999 NOW'), 5));
  const one = row('a', 'youtube-spam', 'youtube-spam/psy');
  const two = row('something else', 'youtube-spam', 'youtube-spam/psy');
  expect(foldOf(one, 5)).toBe(foldOf(two, 5));
});

describe('groupKey', () => {
  test('takes campaigns together that differ in digits, case and signs', () => {
    expect(groupKey('Call 0800 111 NOW!')).toBe(groupKey('call 0900 222 now'));
  });
  test('keeps texts of other scripts apart', () => {
    expect(groupKey('привет')).not.toBe(groupKey('здравствуйте'));
    expect(groupKey('!!')).not.toBe(groupKey('??'));
  });
});

describe('trainingTruth', () => {
  test('gold is never overruled by a presumption', () => {
    const spam = row('x', 'sms-spam', 'sms-spam/v1', { spam: 0, hate: 1 });
    expect(trainingTruth(spam, 'hate')).toEqual({ truth: 1, presumed: false });
    expect(trainingTruth(spam, 'threat')).toEqual({ truth: 0, presumed: true });
  });
  test('what is neither known nor presumed stays unknown', () => {
    expect(trainingTruth(row('x', 'davidson', 'davidson/tweets', { toxicity: 1 }), 'threat')).toBeNull();
  });
});

describe('our own sentences', () => {
  test.each(SEED_SETS.map((set) => [set.label, set] as const))('%s has at least 60 of each kind', (_, set) => {
    expect(set.positive.length).toBeGreaterThanOrEqual(60);
    expect(set.negative.length).toBeGreaterThanOrEqual(60);
  });
  test('no sentence occurs twice', () => {
    const texts = seedRows().map(({ text }) => text.toLowerCase());
    expect(texts.filter((text, i) => texts.indexOf(text) !== i)).toEqual([]);
  });
  test('both kinds of each label are on both sides of the split', () => {
    const { training, heldBack } = splitRows(seedRows(), 20261130, 0.2);
    for (const { label } of SEED_SETS) {
      for (const side of [training, heldBack]) {
        for (const truth of [0, 1]) expect(side.some(({ gold }) => gold[label] === truth)).toBe(true);
      }
    }
  });
  test('an ordinary sentence is a negative of every label', () => {
    const everyday = seedRows().filter(({ source }) => source.endsWith('/everyday'));
    expect(everyday.every(({ gold }) => BUILTIN_LABELS.every((label) => gold[label] === 0))).toBe(true);
  });
});

import { expect, test } from 'vitest';
import { deskKey, type KeyPlace, type KeyPress } from './keys.ts';

const press = (over: Partial<KeyPress>): KeyPress => ({
  ...{ key: 'a', code: 'KeyA', repeat: false, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false },
  ...{ isComposing: false, keyCode: 65 },
  ...over,
});
const OPEN: KeyPlace = { typing: false, onControl: false, dialogOpen: false };

test.each<[string, Partial<KeyPress>, string | null]>([
  ['a letter', {}, 'a'],
  ['a letter under Caps Lock', { key: 'A' }, 'a'],
  ['a letter of a Cyrillic keyboard, by its place', { key: 'ф' }, 'a'],
  ['a digit', { key: '1', code: 'Digit1' }, '1'],
  ['the question mark, which needs Shift', { key: '?', code: 'Slash', shiftKey: true }, '?'],
  ['Enter', { key: 'Enter', code: 'Enter' }, 'Enter'],
  ['a letter with Shift', { key: 'A', shiftKey: true }, null],
  ['a letter with Control', { ctrlKey: true }, null],
  ['a letter with Meta', { metaKey: true }, null],
  ['a letter with Alt', { altKey: true, key: 'å' }, null],
  ['a letter held down', { repeat: true }, null],
  ['a letter while composing', { isComposing: true }, null],
  ['a letter while an input method begins', { key: 'Process', keyCode: 229 }, null],
  ['an accented letter that is no key of ours', { key: 'é', code: 'Digit2' }, 'é'],
  ['an arrow', { key: 'ArrowDown', code: 'ArrowDown' }, null],
  ['Tab', { key: 'Tab', code: 'Tab' }, null],
  ['Escape', { key: 'Escape', code: 'Escape' }, null],
])('%s', (_what, over, expected) => {
  expect(deskKey(press(over), OPEN)).toBe(expected);
});

test.each<[string, Partial<KeyPlace>, string | null, string | null]>([
  ['in a field neither letters nor Enter count', { typing: true }, null, null],
  ['in a dialog neither letters nor Enter count', { dialogOpen: true }, null, null],
  ['on a button letters count and Enter is its own', { onControl: true }, 'a', null],
])('%s', (_what, place, letter, enter) => {
  expect(deskKey(press({}), { ...OPEN, ...place })).toBe(letter);
  expect(deskKey(press({ key: 'Enter' }), { ...OPEN, ...place })).toBe(enter);
});

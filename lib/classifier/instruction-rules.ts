import type { Reading } from './instruction-reading.ts';

/** One sign: where it starts, and what must stand within so many characters of the start and in the same sentence. */
export type Rule = {
  readonly id: string;
  readonly on: keyof Reading;
  readonly start: RegExp;
  readonly all: readonly RegExp[];
  /** Characters from the start; where there is nothing more to look for, it has no effect. */
  readonly within: number;
};

const SENTENCE_END = /[.!?。！？\n](?=\s|$|["'”»)\]])/;

/** @returns true where the sign stands in the text. Starts are short and windows bounded, so that time is linear. */
export function stands({ on, start, all, within }: Rule, reading: Reading): boolean {
  const text = reading[on];
  if (all.length === 0) return start.test(text);
  // One pattern for the life of the process: making it anew for each text would cost more than looking for it.
  const each = start.global ? start : globalOf(start);
  each.lastIndex = 0;
  for (let found = each.exec(text); found; found = each.exec(text)) {
    const window = text.slice(found.index, found.index + within);
    const end = window.search(SENTENCE_END);
    const sentence = end < 0 ? window : window.slice(0, end);
    if (all.every((one) => one.test(sentence))) return true;
  }
  return false;
}

const globals = new WeakMap<RegExp, RegExp>();
function globalOf(pattern: RegExp): RegExp {
  const known = globals.get(pattern) ?? new RegExp(pattern.source, `${pattern.flags}g`);
  globals.set(pattern, known);
  return known;
}

import type { CallInput } from './answer.ts';
import { ENGLISH } from './instruction-english.ts';
import { FORMS, imitatesAnswer, unmatchedEnd } from './instruction-forms.ts';
import { LANGUAGES } from './instruction-languages.ts';
import { PLEAS } from './instruction-pleas.ts';
import { asWords, decoded, hides, readingOf } from './instruction-reading.ts';
import { type Rule, stands } from './instruction-rules.ts';

/**
 * Signs that something shown to a classifier tries to instruct it: by rule, the same on every machine, and only ever a
 * reason for a person to look. A text that quotes such a sentence word by word has the sign as well; one that speaks
 * about prompts, bots or moderators has not.
 */

const RULES = [...ENGLISH, ...LANGUAGES, ...FORMS, ...PLEAS];
/** Rules on one reading, with a pattern of all their starts. */
type Group = { readonly on: Rule['on']; readonly start: RegExp; readonly rules: readonly Rule[] };
/** Few enough that a start found asks few rules, many enough that few patterns are tried. */
const GROUP_COUNT = 8;
/** Most texts hold no start at all, and one look tells; where there is one, it is looked for in groups. */
const READINGS = (['latin', 'wide', 'cased'] as const).map((on) => {
  const rules = RULES.filter((rule) => rule.on === on);
  return { any: groupOf(on, rules), groups: groupsOf(on, rules) };
});
const IDS: readonly string[] = [...new Set(RULES.map(({ id }) => id)), 'imitation', 'closing', 'invisible', 'base64'];

/** The ids of all signs, for tests and for the documents. */
export const INSTRUCTION_SIGNS: readonly string[] = [...new Set(IDS)].sort();

/**
 * @param ids of the content and its revision: they travel to some classifiers as data, so they can carry one as well.
 * @returns true where something that is shown tries to instruct whoever classifies it.
 */
export function instructs(input: CallInput, ...ids: readonly string[]): boolean {
  return parts(input, ids).some((part) => signsOf(part).next().done === false);
}

/** @returns the ids of the signs that were found, sorted, each once. */
export function instructionSigns(input: CallInput, ...ids: readonly string[]): string[] {
  return [...new Set(parts(input, ids).flatMap((part) => [...signsOf(part)]))].sort();
}

type Part = { readonly text: string; readonly isName: boolean };

function parts({ text, title, author_name, parent_text }: CallInput, ids: readonly string[]): Part[] {
  const told = [text, title, parent_text].map((each) => ({ text: each ?? '', isName: false }));
  const names = [author_name, ...ids].map((each) => ({ text: each ?? '', isName: true }));
  return [...told, ...names].filter((part) => part.text !== '');
}

/** Most names and ids: two words say nothing, and looking costs. */
function isBareName(name: string): boolean {
  return /^[A-Za-z0-9 ._:'-]*$/.test(name) && (name.match(/[A-Za-z]{2,}/g) ?? []).length < 3 && name.length < 100;
}

/** Signs as they are found: the caller that wants only to know whether there is one stops at the first. */
function* signsOf({ text, isName }: Part): Generator<string> {
  if (isName && isBareName(text)) return;
  if (hides(text)) yield 'invisible';
  yield* signsOfText(isName ? `${text}\n${asWords(text)}` : text);
  if (isName && /(?:^|[;,&\s])(?:role|trust_?level|verdict|is_?admin|priority|moderation)\s*=/i.test(text))
    yield 'role';
  for (const plain of decoded(text)) if (signsOfText(plain).next().done === false) yield 'base64';
}

function groupsOf(on: Rule['on'], rules: readonly Rule[]): Group[] {
  const count = Math.ceil(rules.length / GROUP_COUNT);
  return Array.from({ length: count }, (_, at) => groupOf(on, rules.slice(at * GROUP_COUNT, (at + 1) * GROUP_COUNT)));
}

/** @throws where the starts of rules differ in their flags, which one pattern could not keep. */
function groupOf(on: Rule['on'], rules: readonly Rule[]): Group {
  if (rules.some(({ start }) => start.flags.replace('g', '') !== '')) throw new Error('starts with different flags');
  // A pattern of nothing at all matches nowhere.
  const source = rules.map(({ start }) => `(?:${start.source})`).join('|') || '(?!)';
  return { on, start: new RegExp(source), rules };
}

function* signsOfText(text: string): Generator<string> {
  const reading = readingOf(text);
  for (const { any, groups } of READINGS) {
    if (!any.start.test(reading[any.on])) continue;
    for (const { on, start, rules } of groups) {
      if (!start.test(reading[on])) continue;
      for (const rule of rules) if (stands(rule, reading)) yield rule.id;
    }
  }
  if (imitatesAnswer(reading.cased)) yield 'imitation';
  if (unmatchedEnd(reading.wide)) yield 'closing';
}

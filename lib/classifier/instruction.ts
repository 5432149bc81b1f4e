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
/** Where any rule of a reading starts at all: most texts hold no such place, and one look tells. */
const STARTS = { latin: anyStart('latin'), wide: anyStart('wide'), cased: anyStart('cased') };
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

/** @returns a pattern of all starts, or null where no rule is on this reading. @throws where their flags would differ. */
function anyStart(on: Rule['on']): RegExp | null {
  const starts = RULES.filter((rule) => rule.on === on).map((rule) => rule.start);
  if (starts.some((start) => start.flags.replace('g', '') !== '')) throw new Error('starts with different flags');
  return starts.length === 0 ? null : new RegExp(starts.map((start) => `(?:${start.source})`).join('|'));
}

function* signsOfText(text: string): Generator<string> {
  const reading = readingOf(text);
  const begun = (on: Rule['on']): boolean => STARTS[on]?.test(reading[on]) ?? false;
  const places = { latin: begun('latin'), wide: begun('wide'), cased: begun('cased') };
  for (const rule of RULES) if (places[rule.on] && stands(rule, reading)) yield rule.id;
  if (imitatesAnswer(reading.cased)) yield 'imitation';
  if (unmatchedEnd(reading.wide)) yield 'closing';
}

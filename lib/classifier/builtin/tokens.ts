import { foldLookAlikes, readLeet, shortenRuns } from './normalise.ts';

/**
 * A token of a text. `word` tokens give word and character features; `sign` tokens stand for a class of things (a link,
 * a user, an amount) and give word features only; `variant` tokens are another reading of a word just seen (leet,
 * elongation, spelled-out letters) and take no place in the word order.
 */
export interface Token {
  readonly kind: 'word' | 'sign' | 'variant';
  readonly text: string;
}

/*
 * One alternative a class, tried in this order. Repetitions are either over one class that nothing after it competes
 * for, or bounded: matching is linear whatever the text.
 */
const TOKEN = new RegExp(
  [
    /(?<link>(?:https?:\/\/|www\.)\S+|\[url\])/u,
    /(?<mail>[a-z0-9._%+-]{1,64}@[a-z0-9-]{1,63}\.[a-z]{2,24})/u,
    /(?<site>[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,3}\.(?:com|net|org|info|biz|tv|co|io|me|ly|gl|uk|ru|de|us)(?![\p{L}\p{N}])(?:\/\S*)?)/u,
    /(?<user>\[user\]|@[a-z0-9_]{2,30})/u,
    /(?<money>[£$€¥]\s?\d[\d.,]{0,15}|\d[\d.,]{0,15}\s?[£€¥])/u,
    /(?<phone>\+?\d[\d ().-]{6,18}\d)/u,
    /(?<word>[\p{L}\p{N}$*@|_'’](?:[\p{L}\p{N}$*@|_'’]|!(?=[\p{L}\p{N}]))*)/u,
    /(?<emoji>\p{Extended_Pictographic})/u,
    /(?<stress>[!?]+)/u,
    /(?<quote>["“”«»])/u,
  ]
    .map((part) => part.source)
    .join('|'),
  'gu',
);

const EDGES = /^[*|_'’@$]+|[*|_'’@]+$/g;
const LETTER = /\p{L}/u;
const DIGITS_ONLY = /^\p{N}+$/u;
const SINGLE_LETTER = /^\p{L}$/u;

/** Fewer spelled-out letters than this are initials or "I" and "a" meeting by chance. */
const MIN_SPELLED_LETTERS = 3;
/** A host longer than this is no host; the limit also bounds the work a link can ask for. */
const MAX_HOST_LENGTH = 120;

function hostOf(link: string): string {
  const start = link.startsWith('http') ? link.indexOf('//') + 2 : 0;
  const rest = link.slice(start, start + MAX_HOST_LENGTH);
  const end = rest.search(/[^a-z0-9.-]/);
  return (end < 0 ? rest : rest.slice(0, end)).replace(/^www\./, '');
}

function pushWord(tokens: Token[], raw: string): void {
  const word = foldLookAlikes(raw).replaceAll('’', "'");
  const short = shortenRuns(word, 2);
  tokens.push({ kind: 'word', text: short });
  if (short !== word) {
    tokens.push({ kind: 'variant', text: shortenRuns(word, 1) });
    tokens.push({ kind: 'variant', text: '<drawn out>' });
  }
  const read = readLeet(short);
  if (read !== short) tokens.push({ kind: 'variant', text: read });
  if (short.includes("'")) tokens.push({ kind: 'variant', text: short.replaceAll("'", '') });
}

/**
 * Ends a run of single letters. A long one was spelled out to hide a word ("k i l l", "k.i.l.l"): it is joined again,
 * and its letters are not kept beside it, where they would outnumber what they hide.
 */
function endSpelling(tokens: Token[], letters: string[]): void {
  if (letters.length >= MIN_SPELLED_LETTERS) {
    tokens.push({ kind: 'variant', text: shortenRuns(foldLookAlikes(letters.join('')), 2) });
    tokens.push({ kind: 'variant', text: '<spelled out>' });
  } else {
    for (const letter of letters) tokens.push({ kind: 'word', text: letter });
  }
  letters.length = 0;
}

/**
 * Splits a text into tokens.
 *
 * @param lower the text after `undisguise`, in lower case
 * @returns the tokens in order; linear in the length of the text
 */
export function tokenise(lower: string): Token[] {
  const tokens: Token[] = [];
  const spelled: string[] = [];
  for (const match of lower.matchAll(TOKEN)) {
    const groups = match.groups ?? {};
    if (groups.word !== undefined) {
      const word = groups.word.replace(EDGES, '');
      if (word === '') continue;
      if (SINGLE_LETTER.test(word)) {
        spelled.push(word);
        continue;
      }
      endSpelling(tokens, spelled);
      if (DIGITS_ONLY.test(word)) tokens.push({ kind: 'sign', text: `<number ${Math.min(word.length, 6)}>` });
      else if (LETTER.test(word)) pushWord(tokens, word);
      continue;
    }
    endSpelling(tokens, spelled);
    const link = groups.link ?? groups.site;
    if (link !== undefined) {
      tokens.push({ kind: 'sign', text: '<link>' });
      const host = hostOf(link);
      if (host !== '' && host !== '[url]') tokens.push({ kind: 'variant', text: `<host ${host}>` });
    } else if (groups.mail !== undefined) tokens.push({ kind: 'sign', text: '<mail>' });
    else if (groups.user !== undefined) tokens.push({ kind: 'sign', text: '<user>' });
    else if (groups.money !== undefined) tokens.push({ kind: 'sign', text: '<money>' });
    else if (groups.phone !== undefined) tokens.push({ kind: 'sign', text: '<phone>' });
    else if (groups.emoji !== undefined) tokens.push({ kind: 'sign', text: groups.emoji });
    else if (groups.quote !== undefined) tokens.push({ kind: 'sign', text: '<quote>' });
    else tokens.push({ kind: 'sign', text: `<${(groups.stress ?? '').slice(0, 3)}>` });
  }
  endSpelling(tokens, spelled);
  return tokens;
}

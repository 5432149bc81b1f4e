/** What can be done to a valid answer, as numbers: quick to draw, quick to shrink, the same for the same numbers. */

/** Which change, and two numbers that say where and what. */
export type Step = readonly [kind: number, a: number, b: number];
/** An answer in the making: the message, and what lies around it. */
export type Draft = { content: string; outer: Record<string, unknown> };

const pick = <T>(from: readonly T[], at: number): T => from[at % from.length] as T;

const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '0',
  '1',
  'e',
  '-',
  '.',
  '+',
  '`',
  '```',
  '```json\n',
  '\n```',
  '\u00a0',
  '\ufeff',
  '\u2028',
  '\u200b',
  '<think>',
  '</think>',
  'null',
  '\\u0000',
  '\\ud83d',
  '\u0000',
  '//',
  '{}',
  'CLEAN',
  '"nonce":"x",',
  '/**/',
  '\u0301',
  '🙂',
  '\ud83d',
]; // prettier-ignore
const VALUES = [
  '0',
  '1',
  '-0',
  '0.50',
  '5e-1',
  '1e-400',
  '1.0000000000000000001',
  '1.0000001',
  '-1e-9',
  '01',
  '.5',
  '1.',
  '1e999',
  'null',
  'true',
  'false',
  '"0.5"',
  '"95%"',
  '[]',
  '{}',
  'NaN',
  'Infinity',
  '""',
  '95',
  '-0.0',
  '0E0',
  '0x1',
  '+1',
  '1e',
  '-',
  '"CLEAN"',
  '"SPAM"',
  '"clean"',
  '" CLEAN"',
  '"CLEAN "',
  '"REVIEW"',
  '"\\u0043LEAN"',
  '"СLEAN"',
  '"ALLOW"',
  '["CLEAN"]',
  '"guide"',
  '"form"',
  '"Guide"',
  '"guide "',
  '"\\u0067uide"',
  '"gu\\u0131de"',
  '"A"',
  '"🙂"',
  '"\\ud83d\\ude42"',
  '"\\ud83d"',
  '"\\ude42"',
  '"a\\u0301"',
  '"the"',
  '"The"',
  '" "',
  '"\\n"',
  '"nowhere"',
  '1.5',
  '0.1e1',
  '1E+0',
  '1e-1',
];
const NAMES = [
  'spam',
  'hate',
  'threat',
  'Spam',
  'spam ',
  '\\u0073pam',
  'ѕpam',
  '__proto__',
  'constructor',
  'nonce',
  'labels',
  'label',
  'evidence',
  'verdict',
  'content_id',
  'revision',
  'other',
  '',
  'toString',
  'Verdict',
  'model',
];
const at = (text: string, place: number): number => place % (text.length + 1);

/** The member in the text that begins at or behind a place, as offsets of its name and of its value. */
function member(text: string, place: number): { name: [number, number]; value: [number, number] } | null {
  const found = [...text.matchAll(/"([a-z_]+)":("(?:[^"\\]|\\.)*"|[^,{}[\]"]+)/g)];
  const one = found.length > 0 ? found[place % found.length] : undefined;
  if (!one) return null;
  const [whole, name = '', value = ''] = one;
  const end = one.index + whole.length;
  return { name: [one.index + 1, one.index + 1 + name.length], value: [end - value.length, end] };
}
const put = (text: string, [from, to]: [number, number], piece: string) => text.slice(0, from) + piece + text.slice(to);

const TEXT_STEPS: readonly ((text: string, a: number, b: number) => string)[] = [
  (text, a, b) => text.slice(0, at(text, a)) + pick(PIECES, b) + text.slice(at(text, a)),
  (text, a, b) => text.slice(0, at(text, a)) + text.slice(at(text, a) + 1 + (b % 4)),
  (text, a) => text.slice(0, at(text, a)),
  (text, a, b) => {
    const found = member(text, a);
    return found ? put(text, found.value, pick(VALUES, b)) : text;
  },
  (text, a, b) => {
    const found = member(text, a);
    return found ? put(text, found.value, pick(VALUES, b)) : text;
  },
  (text, a, b) => {
    const found = member(text, a);
    return found ? put(text, found.name, pick(NAMES, b)) : text;
  },
  (text, a, b) =>
    text.replace(pick(['{', '"labels":{', '}'], a), (m) =>
      m === '}' ? `,"${pick(NAMES, b)}":${pick(VALUES, a)}}` : `${m}"${pick(NAMES, b)}":${pick(VALUES, a)},`,
    ),
  (text, a) => {
    const found = member(text, a);
    return found ? text.slice(0, found.name[0] - 1) + text.slice(found.value[1] + 1) : text;
  },
  (text, a) => {
    const found = member(text, a);
    if (!found) return text;
    const whole = text.slice(found.name[0] - 1, found.value[1]);
    return `${text.slice(0, found.value[1])},${whole}${text.slice(found.value[1])}`;
  },
  (text, a) =>
    `${pick(['```\n', '```json\n', '```json \r\n', '```yaml\n', ' ```\n', '```JSON\n', '````\n', '```json'], a)}${text}${pick(['\n```', '\r\n```\n', '\n ``` ', '```', '\n```\n```', '\n````'], Math.floor(a / 8))}`,
  (text, a) => pick(['Sure: ', '\n\n', ' ', '<think>x</think>', '\ufeff', '{}', 'null', '\u00a0'], a) + text,
  (text, a) => text + pick([' ok?', '\n', '{}', ' \t', 'null', '\u0000', ',', '}'], a),
  (text, a) => (a % 2 ? `[${text}]` : JSON.stringify(text)),
  (text, a, b) => {
    const place = at(text, a);
    const code = text.charCodeAt(place);
    return Number.isNaN(code)
      ? text
      : put(
          text,
          [place, place + 1],
          b % 2 ? `\\u${code.toString(16).padStart(4, '0')}` : text.charAt(place).toUpperCase(),
        );
  },
  (text) => text.replace(/([,:{}])/g, '$1 ').replace(/"nonce"/, '\n"nonce"'),
];

const choice = (content: unknown, over: object = {}, message: object = {}) => ({
  index: 0,
  finish_reason: 'stop',
  message: { role: 'assistant', content, refusal: null, ...message },
  ...over,
});
const OUTER_STEPS: readonly ((draft: Draft, a: number) => Record<string, unknown>)[] = [
  ({ content }, a) => ({
    choices: [
      choice(content, {
        finish_reason: pick(['length', 'content_filter', 'tool_calls', null, 'STOP', 'stop ', undefined, 'stop'], a),
      }),
    ],
  }),
  (_, a) => ({
    model: pick(['model-2', 'model-1 ', '', null, 'Model-1', undefined, 'model-1-b', 'model-1', ['model-1']], a),
  }),
  (_, a) => ({ error: pick<unknown>([{}, true, false, null, 'x', { code: 'x' }, 0, '', []], a) }),
  ({ content }, a) => ({
    choices: pick(
      [
        [],
        null,
        [choice(content), choice(content)],
        [choice(content, {}, { refusal: 'no' })],
        [choice([content])],
        [choice(content, {}, { refusal: '' })],
        [choice(content, { message: content })],
        [{ finish_reason: 'stop', text: content }],
        [null],
        [choice(null)],
        [choice('')],
        { 0: choice(content) },
      ],
      a,
    ),
  }),
  (_, a) => ({ usage: pick<unknown>([undefined, null, { total_tokens: 'x' }, { total_tokens: -1 }, 7], a) }),
];

/**
 * @param content of the message of a valid answer.
 * @param steps most of them to the message, a few to what lies around it, to the body's text or to its bytes.
 * @returns the body as it would arrive over chat completions.
 */
export function mutate(content: string, model: string, steps: readonly Step[]): Buffer {
  const draft: Draft = { content, outer: {} };
  const late: Step[] = [];
  for (const [kind, a, b] of steps) {
    // Twelve in sixteen to the message, two around it, one to the body as text, one to its bytes.
    if (kind % 16 < 12) draft.content = pick(TEXT_STEPS, Math.floor(kind / 16))(draft.content, a, b);
    else if (kind % 16 < 14) draft.outer = { ...draft.outer, ...pick(OUTER_STEPS, Math.floor(kind / 16))(draft, a) };
    else late.push([kind, a, b]);
  }
  const completion = { id: 'x', model, choices: [choice(draft.content)], usage: { total_tokens: 10 }, ...draft.outer };
  return mutateBody(JSON.stringify(completion), late);
}

/** The same for a body that is the answer itself. */
export function mutateBody(text: string, steps: readonly Step[]): Buffer {
  return steps.reduce<Buffer<ArrayBuffer>>((body, [kind, a, b]) => {
    if (kind % 16 === 15) return byteStep(body, a, b);
    return Buffer.from(pick(TEXT_STEPS, Math.floor(kind / 16))(body.toString(), a, b));
  }, Buffer.from(text));
}

/** Flips a bit, drops a byte, doubles one or cuts. */
function byteStep(body: Buffer<ArrayBuffer>, a: number, b: number): Buffer<ArrayBuffer> {
  const place = a % (body.length || 1);
  const [before, after] = [body.subarray(0, place), body.subarray(place + 1)];
  const byte = body[place] ?? 0;
  switch (b % 4) {
    case 0:
      return Buffer.concat([before, Buffer.from([byte ^ (1 << (b % 8))]), after]);
    case 1:
      return Buffer.concat([before, after]);
    case 2:
      return Buffer.concat([before, Buffer.from([byte, byte]), after]);
    default:
      return Buffer.from(before);
  }
}

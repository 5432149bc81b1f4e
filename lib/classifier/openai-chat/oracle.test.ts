import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chatParams } from './params.ts';
import { readChat } from './response.ts';

/**
 * An oracle that shares no code with the reader: it says from the contract alone whether a body is a valid answer.
 * Whatever is done to a valid answer, the reader must agree with it; no mutation may become an answer by luck.
 */

const RUNS = Number(process.env.DOCKET_ORACLE_RUNS ?? 20_000);
const NONCE = 'c0ffee00c0ffee00';
const LABELS = ['spam', 'hate', 'threat'];
const MODEL = 'model-1';
const params = chatParams() ?? expect.fail('default settings are valid');

/** Finds a repeated member by walking the tokens of a text that JSON.parse has already accepted. */
function repeatsMember(text: string): boolean {
  const open: (Set<string> | null)[] = [];
  let expectsKey = false;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/gs)) {
    const top = open.at(-1);
    if (token === '{') {
      open.push(new Set());
      expectsKey = true;
    } else if (token === '[') {
      open.push(null);
      expectsKey = false;
    } else if (token === '}' || token === ']') {
      open.pop();
      expectsKey = false;
    } else if (token === ',') expectsKey = top instanceof Set;
    else if (token === ':') expectsKey = false;
    else if (top instanceof Set && expectsKey) {
      const key = JSON.parse(token);
      if (top.has(key)) return true;
      top.add(key);
      expectsKey = false;
    }
  }
  return false;
}

function strictJson(text: string): { value: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return repeatsMember(text) ? null : { value };
  } catch {
    return null;
  }
}

const record = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;

/** @returns the scores the contract finds in a body of status 200 and type JSON, or null where it is no answer. */
function oracle(body: string): Record<string, number> | null {
  const outer = record(strictJson(body.replace(/^\ufeff/, ''))?.value);
  if (!outer || (outer.error !== undefined && outer.error !== null && outer.error !== false)) return null;
  if (outer.model !== MODEL || !Array.isArray(outer.choices) || outer.choices.length !== 1) return null;
  const choice = record(outer.choices[0]);
  const message = record(choice?.message);
  if (!choice || !message || choice.finish_reason !== 'stop' || typeof message.content !== 'string') return null;
  if (typeof message.refusal === 'string' && message.refusal !== '') return null;
  const answer = record(strictJson(unfenced(message.content))?.value);
  if (!answer || Object.keys(answer).sort().join() !== 'labels,nonce' || answer.nonce !== NONCE) return null;
  const labels = record(answer.labels);
  if (!labels || Object.keys(labels).sort().join() !== [...LABELS].sort().join()) return null;
  const numbers = Object.values(labels);
  if (!numbers.every((each): each is number => typeof each === 'number' && each >= 0 && each <= 1)) return null;
  return labels as Record<string, number>;
}

/** One fence around the whole message, of json or of nothing, and none inside. */
function unfenced(content: string): string {
  const lines = content.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '').split('\n');
  const line = (at: number) => (lines.at(at) ?? '').replace(/[ \t\r]+$/, '');
  const fences = content.split('```').length - 1;
  const whole =
    lines.length > 2 && (line(0) === '```' || line(0) === '```json') && line(-1).replace(/^[ \t]+/, '') === '```';
  return whole && fences === 2 ? lines.slice(1, -1).join('\n') : content;
}

type Answer = { content: string; outer: Record<string, unknown> };
const answerOf = (scores: readonly number[]): string =>
  JSON.stringify({ nonce: NONCE, labels: Object.fromEntries(LABELS.map((label, at) => [label, scores[at]])) });
const bodyOf = ({ content, outer }: Answer): string =>
  JSON.stringify({
    model: MODEL,
    choices: [{ finish_reason: 'stop', message: { role: 'assistant', content, refusal: null } }],
    usage: { total_tokens: 10 },
    ...outer,
  });

const score = fc.oneof(fc.constantFrom(0, 1, 0.5), fc.double({ min: 0, max: 1, noNaN: true }));
const written = fc.oneof(
  fc.constantFrom(
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
  ),
  fc.constantFrom('null', 'true', '"0.5"', '"95%"', '[]', '{}', 'NaN', 'Infinity', '""', '95', '-0.0', '0E0', '0x1'),
);
const key = fc.constantFrom(
  'spam',
  'hate',
  'threat',
  'Spam',
  'spam ',
  '\\u0073pam',
  '__proto__',
  'nonce',
  'labels',
  'other',
  '',
);
const piece = fc.constantFrom(
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
  '0',
  '1',
  'e',
  '-',
  '.',
  '`',
  '```',
  '```json\n',
  '\n```',
  '\u00a0',
  '\ufeff',
  '\t',
  '<think>',
);

/** Changes to the text of the message. */
const textChange = fc.oneof(
  fc.tuple(fc.nat(), piece).map(
    ([at, text]) =>
      (s: string) =>
        s.slice(0, at % (s.length + 1)) + text + s.slice(at % (s.length + 1)),
  ),
  fc.tuple(fc.nat(), fc.integer({ min: 1, max: 4 })).map(
    ([at, n]) =>
      (s: string) =>
        s.slice(0, at % (s.length || 1)) + s.slice((at % (s.length || 1)) + n),
  ),
  fc.nat().map((at) => (s: string) => s.slice(0, at % (s.length + 1))),
  fc.tuple(fc.constantFrom(...LABELS), written).map(
    ([label, number]) =>
      (s: string) =>
        s.replace(new RegExp(`"${label}":[^,}]*`), `"${label}":${number}`),
  ),
  fc.tuple(key, written).map(
    ([name, number]) =>
      (s: string) =>
        s.replace('"labels":{', `"labels":{"${name}":${number},`),
  ),
  fc.tuple(key, written).map(
    ([name, value]) =>
      (s: string) =>
        s.replace('{', `{"${name}":${value},`),
  ),
  fc.tuple(fc.constantFrom(...LABELS), key).map(
    ([label, name]) =>
      (s: string) =>
        s.replace(`"${label}"`, `"${name}"`),
  ),
  fc.constantFrom(...LABELS).map((label) => (s: string) => s.replace(new RegExp(`"${label}":[^,}]*,?`), '')),
  fc
    .constantFrom(NONCE.toUpperCase(), '', NONCE.slice(1), `${NONCE} `)
    .map((nonce) => (s: string) => s.replace(NONCE, nonce)),
  fc
    .constantFrom('```\n', '```json\n', '```json \n', '```yaml\n', ' ```\n')
    .map((fence) => (s: string) => `${fence}${s}\n\`\`\``),
  fc.constantFrom('Sure: ', '\n\n', ' ', '<think>x</think>').map((before) => (s: string) => before + s),
  fc.constantFrom(' ok?', '\n', '{}', ' \t').map((after) => (s: string) => s + after),
  fc.constant((s: string) => `[${s}]`),
  fc.constant((s: string) => JSON.stringify(JSON.stringify(s)).slice(1, -1)),
);
/** Changes to what lies around the message. */
const outerChange = fc.oneof(
  fc
    .constantFrom('length', 'content_filter', 'tool_calls', null, 'STOP', 'stop ')
    .map((finish_reason) => (a: Answer) => ({
      ...a,
      outer: { ...a.outer, choices: [{ finish_reason, message: { content: a.content } }] },
    })),
  fc
    .constantFrom('model-2', 'model-1 ', '', null, 'Model-1', undefined)
    .map((model) => (a: Answer) => ({ ...a, outer: { ...a.outer, model } })),
  fc
    .constantFrom<unknown>({}, true, false, null, 'x', { code: 'x' })
    .map((error) => (a: Answer) => ({ ...a, outer: { ...a.outer, error } })),
  fc
    .constantFrom<(content: string) => unknown>(
      () => [],
      () => null,
      (content) => [
        { finish_reason: 'stop', message: { content } },
        { finish_reason: 'stop', message: { content } },
      ],
      (content) => [{ finish_reason: 'stop', message: { content, refusal: 'no' } }],
      (content) => [{ finish_reason: 'stop', message: { content: [content] } }],
      (content) => [{ finish_reason: 'stop', message: { content, refusal: '' } }],
      (content) => [{ message: { content } }],
      (content) => [{ finish_reason: 'stop', text: content }],
    )
    .map((choices) => (a: Answer) => ({ ...a, outer: { ...a.outer, choices: choices(a.content) } })),
);

const mutated = fc
  .record({
    scores: fc.tuple(score, score, score),
    texts: fc.array(textChange, { maxLength: 2 }),
    outers: fc.oneof(
      { weight: 3, arbitrary: fc.constant<((answer: Answer) => Answer)[]>([]) },
      { weight: 1, arbitrary: fc.array<(answer: Answer) => Answer>(outerChange, { maxLength: 1 }) },
    ),
    body: fc.oneof({ weight: 8, arbitrary: fc.constant((s: string) => s) }, { weight: 1, arbitrary: textChange }),
  })
  .map(({ scores, texts, outers, body }) => {
    const content = texts.reduce((text, change) => change(text), answerOf(scores));
    const answer = outers.reduce<Answer>((given, change) => change(given), { content, outer: {} });
    return body(bodyOf(answer));
  });

const read = (body: string) => {
  const result = readChat(
    { contentType: 'application/json', body: Buffer.from(body) },
    MODEL,
    { nonce: NONCE, labels: LABELS },
    params,
  );
  return result.outcome === 'ok' ? result.scores : null;
};

test('the reader and the oracle agree on every mutation of a valid answer', { timeout: 600_000 }, () => {
  const seen = { valid: 0, invalid: 0 };
  fc.assert(
    fc.property(mutated, (body) => {
      const expected = oracle(body);
      expect(read(body), body).toEqual(
        expected && { ...expected, ...Object.fromEntries(LABELS.map((l) => [l, (expected[l] ?? 0) + 0])) },
      );
      seen[expected ? 'valid' : 'invalid']++;
    }),
    { numRuns: RUNS },
  );
  // A property that only ever saw one side would prove nothing.
  expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(RUNS / 20);
});

test('no text of any kind is an answer by luck', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (content) => {
      expect(read(bodyOf({ content, outer: {} }))).toBeNull();
      expect(read(content)).toBeNull();
    }),
    { numRuns: 2_000 },
  );
});

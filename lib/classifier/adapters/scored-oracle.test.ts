import fc from 'fast-check';
import { expect, test } from 'vitest';
import { llamaGuardFormat } from '../openai-chat/presets/llama-guard.ts';
import { safeguardFormat } from '../openai-chat/presets/safeguard.ts';
import { openaiModerationFormat } from '../openai-moderation/format.ts';
import { dialectCall } from '../testing/dialect-fixture.http.ts';
import { DIALECTS } from '../testing/dialects.ts';
import { moderation } from '../testing/fixtures/answers.ts';
import { mutate, mutateBody, type Step } from '../testing/mutations.ts';
import { isPlain, plainly } from '../testing/oracle.ts';
import { textClassificationFormat } from '../text-classification/format.ts';
import { validate } from '../validate.ts';

/**
 * Services that answer in words of their own, held against plain second readers: whatever is done to an answer, the
 * scores are exactly what stands there, or there are none.
 */

const RUNS = 8_000;
type Scores = Record<string, number | null>;
const map = (value: unknown): ReadonlyMap<string, unknown> | null => (value instanceof Map ? value : null);
const inRange = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1;
const noError = (outer: ReadonlyMap<string, unknown>): boolean =>
  [undefined, null, false].includes(outer.get('error') as null);
/** Labels of its own are kept only where a database can hold them and their scores are scores. */
const allFine = (given: ReadonlyMap<string, unknown>, nulls: boolean): boolean =>
  [...given].every(([name, score]) => name !== '' && isPlain(name) && (inRange(score) || (nulls && score === null)));

function moderated(body: Buffer): Scores | null {
  const outer = map(plainly(body)?.value);
  const results = outer?.get('results');
  if (!outer || !noError(outer) || outer.get('model') !== 'm-1' || !Array.isArray(results) || results.length !== 1)
    return null;
  const given = map(map(results[0])?.get('category_scores'));
  if (!given || !allFine(given, true)) return null;
  const wanted = {
    spam: ['illicit'],
    hate: ['hate', 'hate/threatening'],
    threat: ['harassment/threatening', 'hate/threatening'],
  };
  const scores: Scores = {};
  for (const [label, categories] of Object.entries(wanted)) {
    const found = categories.map((category) => given.get(category));
    if (found.includes(undefined)) return null;
    scores[label] = found.includes(null) ? null : Math.max(...found.map(Number));
  }
  return scores;
}

function classified(body: Buffer): Scores | null {
  const value = plainly(body)?.value;
  const list = Array.isArray(value) && value.length === 1 && Array.isArray(value[0]) ? value[0] : value;
  if (!Array.isArray(list) || list.length === 0) return null;
  const given = new Map<string, unknown>();
  for (const each of list) {
    const label = map(each)?.get('label');
    if (typeof label !== 'string' || given.has(label)) return null;
    given.set(label, map(each)?.get('score'));
  }
  if (!allFine(given, false)) return null;
  const scores: Scores = {};
  for (const label of ['spam', 'hate', 'threat']) {
    if (!given.has(label)) return null;
    scores[label] = Number(given.get(label));
  }
  return scores;
}

/** The content of a completion; what lies around it is held against the other oracle. */
function content(body: Buffer): string | null {
  const outer = map(plainly(body)?.value);
  const choices = outer?.get('choices');
  if (!outer || !noError(outer) || outer.get('model') !== 'm-1' || !Array.isArray(choices) || choices.length !== 1)
    return null;
  const choice = map(choices[0]);
  const message = map(choice?.get('message'));
  if (choice?.get('finish_reason') !== 'stop' || !message) return null;
  const refusal = message.get('refusal');
  if (refusal !== undefined && refusal !== null && refusal !== '') return null;
  const said = message.get('content');
  return typeof said === 'string' ? said : null;
}

function guarded(body: Buffer): Scores | null {
  const words = content(body)
    ?.replace(/^[\r\n]+/, '')
    .replace(/[\r\n ]+$/, '')
    .split(/\r?\n/);
  if (!words || (words[0] === 'safe' ? words.length !== 1 : words[0] !== 'unsafe' || words.length !== 2)) return null;
  const named = words[1]?.split(/, ?/) ?? [];
  const known = Array.from({ length: 14 }, (_, at) => `S${at + 1}`);
  if (new Set(named).size !== named.length || named.some((each) => !known.includes(each))) return null;
  const has = (category: string) => (named.includes(category) ? 1 : 0);
  return { spam: has('S2'), hate: has('S10'), threat: has('S1') };
}

const steps: fc.Arbitrary<Step[]> = fc.array(fc.tuple(fc.nat(16 * 60 - 1), fc.nat(0xffff), fc.nat(0xffff)), {
  minLength: 1,
  maxLength: 2,
});
const list = [
  { label: 'spam', score: 0.25 },
  { label: 'hate', score: 0 },
  { label: 'threat', score: 1 },
];
const CASES = [
  [
    'openai-moderation, scores',
    openaiModerationFormat,
    moderated,
    (given: readonly Step[]) => mutateBody(JSON.stringify(moderation()), given),
  ],
  [
    'text-classification, scores',
    textClassificationFormat,
    classified,
    (given: readonly Step[]) => mutateBody(JSON.stringify([list]), given),
  ],
  [
    'text-classification, flat, scores',
    textClassificationFormat,
    classified,
    (given: readonly Step[]) => mutateBody(JSON.stringify(list), given),
  ],
  [
    'llama-guard, scores',
    llamaGuardFormat,
    guarded,
    (given: readonly Step[]) => mutate('\n\nunsafe\nS1,S10', 'm-1', given),
  ],
  ['llama-guard, scores', llamaGuardFormat, guarded, (given: readonly Step[]) => mutate('safe', 'm-1', given)],
] as const;

test.each(CASES)(
  '%s: the scores are exactly what stands there, or there are none',
  (name, format, oracle, arriving) => {
    const { document } = DIALECTS.find((each) => each.name === name) ?? expect.fail(name);
    const call = dialectCall({ document });
    const asked = format.ask(call, document.classifier.params ?? {});
    if (typeof asked === 'string') return expect.fail(asked);
    let valid = 0;
    fc.assert(
      fc.property(steps, (given) => {
        const body = arriving(given);
        const heard = asked.questions[0].read({ contentType: 'application/json', body });
        const judged = heard.outcome === 'ok' ? validate(call, heard.said) : heard;
        const found = judged.outcome === 'ok' && 'classification' in judged ? judged.classification : null;
        const expected = oracle(body);
        if (expected) valid++;
        const told = found && 'scores' in found ? found.scores : null;
        const same = Object.entries(expected ?? {}).every(([label, score]) => told?.[label] === score);
        if ((told === null) !== (expected === null) || !same) throw new Error(`${judged.outcome}: ${body.toString()}`);
      }),
      { numRuns: RUNS },
    );
    expect(Math.min(valid, RUNS - valid)).toBeGreaterThan(RUNS / 100);
  },
);

test('safeguard: no violation is only what says 0 and nothing against it', () => {
  const { document } = DIALECTS.find((each) => each.name === 'safeguard, scores') ?? expect.fail('a dialect');
  const call = dialectCall({ document });
  const asked = safeguardFormat.ask(call, {});
  if (typeof asked === 'string') return expect.fail(asked);
  const valid = '{"violation":0,"policy_category":"","confidence":"high","rationale":"x"}';
  fc.assert(
    fc.property(steps, (given) => {
      const body = mutate(valid, 'm-1', given);
      const heard = asked.questions[0].read({ contentType: 'application/json', body });
      const judged = heard.outcome === 'ok' ? validate(call, heard.said) : heard;
      if (judged.outcome !== 'ok' || !('classification' in judged) || !('scores' in judged.classification)) return;
      if (Math.max(...Object.values(judged.classification.scores).map((score) => score ?? 1)) >= 0.5) return;
      const said = (content(body) ?? '').replace(/^\s*```(json)?\s*\n|\n\s*```\s*$/g, '');
      const value = plainly(Buffer.from(said))?.value;
      expect(
        Object.is(map(value) ? map(value)?.get('violation') : value, 0) || map(value)?.get('violation') === 0,
      ).toBe(true);
    }),
    { numRuns: RUNS },
  );
});

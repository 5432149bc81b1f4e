import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '../kernel/hash.ts';
import { tagPolicy, testPolicy, verdictPolicy } from '../policy/testing.ts';
import type { Call, CallResult, ContentCall } from './answer.ts';
import { SEGMENT_CODE_POINTS } from './segments.ts';
import { answerWith, markedAnswer, scriptedClassifier } from './testing/scripted.ts';
import { classifyWhole } from './whole.ts';

const SECRET = 'a secret of the test';
const signal = new AbortController().signal;

function callOf(input: ContentCall['input'], changes: Partial<ContentCall> = {}): ContentCall {
  return {
    decisionId: 'd'.repeat(64),
    contentId: 'c-1',
    revision: '1',
    policyVersion: 'test@1',
    callGroup: 2,
    document: testPolicy(),
    input,
    ...changes,
  };
}

const long = (parts: readonly string[]) => parts.map((part) => `${part} `.padEnd(8_000, '.')).join('');

describe('a whole revision', () => {
  test('a short text is one call that shows everything, under the key decision_id:g:0', async () => {
    const classifier = scriptedClassifier();
    const input = { text: 'spam=0.5', title: 'T', author_name: 'A', parent_text: 'P' };
    const result = await classifyWhole(classifier, callOf(input), { secret: SECRET, signal });
    expect(result).toMatchObject({
      outcome: 'ok',
      classification: { scores: { spam: 0.5, hate: 0, threat: 0 } },
      segments: 1,
      units: 10,
    });
    expect(classifier.calls).toHaveLength(1);
    expect(classifier.calls[0]?.input).toEqual(input);
    expect(classifier.calls[0]?.idempotencyKey).toBe(`${'d'.repeat(64)}:2:0`);
  });

  test('the nonce is the HMAC of the key: the same call has the same, another group, segment or secret another', async () => {
    const nonces = async (call: ContentCall, secret = SECRET) => {
      const classifier = scriptedClassifier();
      await classifyWhole(classifier, call, { secret, signal });
      return classifier.calls.map((each) => each.nonce);
    };
    const call = callOf({ text: long(['a', 'b']) });
    const [first, second] = await nonces(call);
    expect(first).toBe(
      createHmac('sha256', SECRET)
        .update(`${'d'.repeat(64)}:2:0`)
        .digest('hex'),
    );
    expect(await nonces(call)).toEqual([first, second]);
    const others = [...(await nonces(call, 'another')), ...(await nonces({ ...call, callGroup: 3 }))];
    expect(new Set([first, second, ...others]).size).toBe(6);
  });

  test('long text is asked segment by segment, each with its context; scores by maximum, units and time by sum', async () => {
    const classifier = scriptedClassifier();
    const call = callOf({ text: long(['spam=0.2', 'spam=0.7 hate=0.1', 'hate=0.05']), title: 'T' });
    const result = await classifyWhole(classifier, call, { secret: SECRET, signal });
    expect(result).toMatchObject({
      outcome: 'ok',
      classification: { scores: { spam: 0.7, hate: 0.1, threat: 0 } },
      segments: 3,
      units: 30,
      latencyMs: 3,
    });
    expect(classifier.calls.map((each) => each.input.title)).toEqual(['T', 'T', 'T']);
    expect(classifier.calls.map((each) => each.input.text).join('')).toBe(call.input.text);
    expect(classifier.calls.map((each) => each.idempotencyKey.split(':')[2])).toEqual(['0', '1', '2']);
  });

  test('the failure of one segment fails the whole, with the units of all calls, and later segments are not asked', async () => {
    const classifier = scriptedClassifier();
    const call = callOf({ text: long(['spam=0.2', 'fail=refused', 'spam=0.1']) });
    const result = await classifyWhole(classifier, call, { secret: SECRET, signal });
    expect(result).toMatchObject({ outcome: 'refused', units: 10, latencyMs: 2 });
    expect(classifier.calls).toHaveLength(2);
  });

  test('two models in one text are a model_mismatch', async () => {
    const classifier = scriptedClassifier({ answer: (call, nth) => answerWith(call, {}, `model-${nth}`) });
    const result = await classifyWhole(classifier, callOf({ text: long(['a', 'b']) }), { secret: SECRET, signal });
    expect(result.outcome).toBe('model_mismatch');
  });

  test.each<[ContentCall['input'], string, number]>([
    [{ text: '' }, 'no_text', 0],
    [{ text: '', title: '' }, 'no_text', 0],
    [{ text: '', author_name: 'A', parent_text: 'P' }, 'no_text', 0],
    [{ text: '', title: 'T' }, 'ok', 1],
    [{ text: ' ' }, 'ok', 1],
  ])('%j ends as %s after %i calls', async (input, outcome, calls) => {
    const classifier = scriptedClassifier();
    expect((await classifyWhole(classifier, callOf(input), { secret: SECRET, signal })).outcome).toBe(outcome);
    expect(classifier.calls).toHaveLength(calls);
  });

  test('more segments than the policy takes end as content_too_large without a call', async () => {
    const classifier = scriptedClassifier();
    const document = testPolicy({ segments: { max: 2 } });
    const outcome = async (text: string) =>
      (await classifyWhole(classifier, callOf({ text }, { document }), { secret: SECRET, signal })).outcome;
    expect(await outcome(long(['a', 'b', 'c']))).toBe('content_too_large');
    expect(classifier.calls).toHaveLength(0);
    expect(await outcome(long(['a', 'b']))).toBe('ok');
  });

  test.each<[string, Record<string, unknown>]>([
    ['a missing label', { spam: 0, hate: 0 }],
    ['a label too many', { spam: 0, hate: 0, threat: 0, other: 0 }],
    ['a score that is no number', { spam: Number.NaN, hate: 0, threat: 0 }],
    ['a score above 1', { spam: 1.5, hate: 0, threat: 0 }],
    ['a score as text', { spam: '0', hate: 0, threat: 0 }],
    ['no labels', {}],
  ])('%s is refused here, whichever adapter brought it', async (_, scores) => {
    const answer = (call: Parameters<typeof answerWith>[0]) =>
      ({ ...answerWith(call, {}), classification: { scores } }) as CallResult;
    const result = await classifyWhole(scriptedClassifier({ answer }), callOf({ text: 'x' }), {
      secret: SECRET,
      signal,
    });
    expect(result.outcome).toBe('schema_mismatch');
  });

  test('a label not evaluated stays null, and labels the policy does not name are kept beside', async () => {
    const answer = (call: Parameters<typeof markedAnswer>[0]) =>
      ({ ...markedAnswer(call), otherScores: { grooming: 0.3 } }) as CallResult;
    const result = await classifyWhole(scriptedClassifier({ answer }), callOf({ text: 'hate=null' }), {
      secret: SECRET,
      signal,
    });
    expect(result).toMatchObject({
      classification: { scores: { spam: 0, hate: null, threat: 0 } },
      otherScores: { grooming: 0.3 },
    });
  });
});

describe('a long text under the other contracts', () => {
  const base = { otherScores: {}, model: 'scripted-1', units: 10, raw: '', latencyMs: 1, normalised: [] as const };
  const weight = { requestBytes: 10, contentBytes: 5 };
  const ask = (document: ContentCall['document'], text: string, answer: (call: Call, nth: number) => unknown) =>
    classifyWhole(
      scriptedClassifier({
        answer: (call, nth) => ({ outcome: 'ok', ...base, weight, classification: answer(call, nth) }) as CallResult,
      }),
      callOf({ text }, { document }),
      { secret: SECRET, signal },
    );
  /** The tag of the first word that is one, shown where it stands. */
  const tag = ({ input }: Call) => {
    const found = /guide|form/.exec(input.text);
    if (!found) throw new Error('a segment of the test without its word');
    const start = [...input.text.slice(0, found.index)].length;
    return { tag: found[0], start, end: start + found[0].length, passage_sha256: sha256Hex(found[0]) };
  };
  /** Each word in a segment of its own, behind and before characters of several code points and units. */
  const emoji = (words: readonly string[]) =>
    words.map((word) => `🙂👩‍👩‍👧‍👦 ${word} ${'🙂'.repeat(SEGMENT_CODE_POINTS - 10 - word.length)}`).join('');

  test('the passage that is kept stands in the whole text where it says, in code points', async () => {
    const text = emoji(['form', 'form', 'guide']);
    const result = await ask(tagPolicy(), text, tag);
    if (result.outcome !== 'ok' || !('tag' in result.classification)) return expect.fail('an answer');
    const { start, end, passage_sha256 } = result.classification;
    const passage = [...text].slice(start ?? 0, end ?? 0).join('');
    expect([passage, sha256Hex(passage), result.segments]).toEqual(['form', passage_sha256, 3]);
  });

  test('all equal is the tag; one that differs is named and the text is held', async () => {
    expect(await ask(tagPolicy(), emoji(['guide', 'guide']), tag)).toMatchObject({
      classification: { tag: 'guide' },
      differing: [],
    });
    expect(await ask(tagPolicy(), emoji(['guide', 'form', 'guide']), tag)).toMatchObject({
      classification: { tag: 'guide' },
      differing: ['form'],
    });
  });

  test('a passage that stands elsewhere than it says is no answer', async () => {
    const wrong = (call: Call) => ({ ...tag(call), start: 0, end: 5 });
    expect((await ask(tagPolicy(), 'a guide', wrong)).outcome).toBe('schema_mismatch');
  });

  test.each([
    [['CLEAN', 'CLEAN'], 'CLEAN'],
    [['CLEAN', 'REVIEW'], 'REVIEW'],
    [['REVIEW', 'SPAM', 'CLEAN'], 'SPAM'],
  ])('%j together are %s', async (words, word) => {
    const text = long(words.map(() => 'x'));
    const result = await ask(verdictPolicy(), text, (_, nth) => ({ word: words[nth - 1] }));
    expect(result).toMatchObject({ classification: { word }, segments: words.length });
  });

  test('200,000 characters are asked in full, and every request is well formed', async () => {
    const text = '👩‍👩‍👧‍👦 e\u0301 🇩🇪 '.repeat(20_000).slice(0, 200_000);
    const classifier = scriptedClassifier();
    const result = await classifyWhole(classifier, callOf({ text: text.toWellFormed() }), { secret: SECRET, signal });
    expect(result.outcome).toBe('ok');
    expect(classifier.calls.map((each) => each.input.text).join('')).toBe(text.toWellFormed());
    expect(classifier.calls.every((each) => each.input.text.isWellFormed())).toBe(true);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Classification } from '../policy/classification.ts';
import { deriveVerdict, PLAIN } from '../policy/derive.ts';
import { labelsOf, type PolicyDocument } from '../policy/schema.ts';
import { tagPolicy, testPolicy, verdictPolicy } from '../policy/testing.ts';
import type { Call } from './answer.ts';
import { httpJsonFormat } from './http-json/format.ts';
import { openaiChatFormat } from './openai-chat/format.ts';
import { mutate, mutateBody, type Step } from './testing/mutations.ts';
import { oracle, type Question } from './testing/oracle.ts';
import { validate } from './validate.ts';

/**
 * The reader and the judge are held against an oracle that shares no code with them. Whatever is done to a valid
 * answer, both must say the same, down to the last digit; nothing becomes an answer, and so an allow, by luck.
 */

/** Over all contracts; `npm run oracle` asks for a million. */
const RUNS = Number(process.env.DOCKET_ORACLE_RUNS ?? 210_000);
const MODEL = 'model-1';
const NONCE = 'c0ffee00c0ffee00';
const TEXT = `The guide 🙂 tells: a\u0301 first, the 👩‍👩‍👧‍👦 second. "Quoted" \\ the end.\nThe guide again. ${'long '.repeat(80)}`;
const pinned = { adapter: 'openai-chat', model: MODEL } as const;
const own = { adapter: 'http-json', model: MODEL } as const;
const echoes = { model: MODEL, content_id: 'c-1', revision: '01' };

type Case = {
  readonly name: string;
  readonly document: PolicyDocument;
  readonly answer: (a: number, b: number) => object;
};
const SCORES = [0, 1, 0.5, 0.25, 0.1, 1e-7, 0.999999, 5e-324];
const score = (at: number) => SCORES[at % SCORES.length];
const CASES: readonly Case[] = [
  {
    name: 'scores',
    document: testPolicy({ classifier: pinned }),
    answer: (a, b) => ({ labels: { spam: score(a), hate: score(b), threat: score(a + b) } }),
  },
  {
    name: 'tag with its passage',
    document: tagPolicy({ classifier: pinned }),
    answer: (a, b) => ({
      content_id: 'c-1',
      revision: '01',
      label: a % 2 ? 'guide' : 'form',
      evidence: TEXT.slice(a % TEXT.length, (a % TEXT.length) + 1 + (b % 330)),
    }),
  },
  {
    name: 'tag alone',
    document: tagPolicy({ classifier: pinned, contract: { ...tagPolicy().contract, evidence: false } }),
    answer: (a) => ({ content_id: 'c-1', revision: '01', label: a % 2 ? 'guide' : 'form' }),
  },
  {
    name: 'verdict',
    document: verdictPolicy({ classifier: pinned }),
    answer: (a) => ({ verdict: ['CLEAN', 'SPAM', 'REVIEW'][a % 3] }),
  },
  {
    name: 'scores over http-json',
    document: testPolicy({ classifier: own }),
    answer: (a, b) => ({ labels: { spam: score(a), hate: score(b), threat: score(a + b) } }),
  },
  {
    name: 'tag over http-json',
    document: tagPolicy({ classifier: own }),
    answer: (a, b) => ({
      label: a % 2 ? 'guide' : 'form',
      evidence: TEXT.slice(a % TEXT.length, (a % TEXT.length) + 1 + (b % 330)),
    }),
  },
  {
    name: 'verdict over http-json',
    document: verdictPolicy({ classifier: own }),
    answer: (a) => ({ verdict: ['CLEAN', 'SPAM', 'REVIEW'][a % 3] }),
  },
];

function callOf(document: PolicyDocument): Call {
  return {
    decisionId: 'd'.repeat(64),
    contentId: 'c-1',
    revision: '01',
    policyVersion: 'p@1',
    idempotencyKey: 'k',
    nonce: NONCE,
    document,
    input: { text: TEXT },
  };
}

function questionOf({ document }: Case): Question {
  const { contract } = document;
  return {
    adapter: document.classifier.adapter === 'http-json' ? 'http-json' : 'openai-chat',
    kind: contract.kind,
    evidence: contract.kind === 'tag' && contract.evidence,
    labels: labelsOf(document).map(({ name }) => name),
    model: MODEL,
    nonce: NONCE,
    contentId: 'c-1',
    revision: '01',
    text: TEXT,
  };
}

/** @returns what the product makes of a body, as it makes it of every answer. */
function readerOf({ document }: Case): (body: Buffer) => Classification | null {
  const call = callOf(document);
  const format = document.classifier.adapter === 'http-json' ? httpJsonFormat : openaiChatFormat;
  const asked = format.ask(call, {});
  if (typeof asked === 'string') throw new Error(asked);
  return (body) => {
    const heard = asked.questions[0].read({ contentType: 'application/json', body });
    if (heard.outcome !== 'ok') return null;
    const judged = validate(call, heard.said);
    return judged.outcome === 'ok' ? judged.classification : null;
  };
}

/** In the oracle's notation. */
function told(classification: Classification | null, labels: readonly string[]): string | null {
  if (!classification) return null;
  if ('scores' in classification) {
    return `scores ${labels.map((label) => `${label}=${classification.scores[label]}`).join(' ')}`;
  }
  if ('word' in classification) return `word ${classification.word}`;
  const { tag, start, end, passage_sha256 } = classification;
  return start === null ? `tag ${tag}` : `tag ${tag} ${start} ${end} ${passage_sha256}`;
}

const steps: fc.Arbitrary<Step[]> = fc.array(fc.tuple(fc.nat(16 * 60 - 1), fc.nat(0xffff), fc.nat(0xffff)), {
  minLength: 1,
  maxLength: 3,
});

describe.each(CASES)('$name', (each) => {
  const question = questionOf(each);
  const read = readerOf(each);
  const bare = question.adapter === 'http-json';
  const arriving = (a: number, b: number, mutations: readonly Step[]): Buffer => {
    const answer = JSON.stringify({ ...(bare ? echoes : { nonce: NONCE }), ...each.answer(a, b) });
    return bare ? mutateBody(answer, mutations) : mutate(answer, MODEL, mutations);
  };

  test('the reader and the oracle agree on every mutation of a valid answer', { timeout: 1_800_000 }, () => {
    const seen = { valid: 0, invalid: 0, allow: 0 };
    const runs = Math.ceil(RUNS / CASES.length);
    fc.assert(
      fc.property(fc.nat(0xffff), fc.nat(0xffff), steps, (a, b, mutations) => {
        const body = arriving(a, b, mutations);
        const expected = oracle(body, question);
        const classification = read(body);
        const found = told(classification, question.labels);
        if (found !== expected) throw new Error(`oracle ${expected}, reader ${found}: ${body.toString()}`);
        seen[expected === null ? 'invalid' : 'valid']++;
        if (classification && deriveVerdict(each.document, classification, PLAIN).verdict === 'allow') {
          if (expected === null) throw new Error('an allow that nobody gave');
          seen.allow++;
        }
      }),
      { numRuns: runs },
    );
    console.info(
      `oracle, ${each.name}: ${runs} answers, ${seen.valid} valid, ${seen.invalid} not, ${seen.allow} allow`,
    );
    // A property that only ever saw one side would prove nothing.
    expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(runs / 20);
    expect(seen.allow).toBeGreaterThan(runs / 200);
  });

  test('no text of any kind is an answer by luck', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (content) => {
        expect(read(mutate(content, MODEL, []))).toBeNull();
        expect(read(Buffer.from(content))).toBeNull();
      }),
      { numRuns: 1_000 },
    );
  });
});

import type { PolicyDocument } from '../../policy/schema.ts';
import { tagPolicy, testPolicy, verdictPolicy } from '../../policy/testing.ts';
import type { ClassifierEntry } from '../config.ts';
import {
  chatCompletion,
  huggingFaceFlat,
  huggingFaceNested,
  moderation,
  teiPredict,
  tokens,
} from './fixtures/answers.ts';

/** Every adapter, preset and contract that can be asked, each with a valid answer: for tests that hold for all. */

export const TEXT = 'canary-turnip-text "quoted" \\ 🙂\nsecond line';
export const EVIDENCE = '🙂\nsecond';
export const NONCE = 'n'.repeat(64);
type Params = NonNullable<PolicyDocument['classifier']['params']>;

export type Dialect = {
  readonly name: string;
  readonly adapter: ClassifierEntry['adapter'];
  readonly preset?: ClassifierEntry['preset'];
  readonly document: PolicyDocument;
  /** A valid answer to any of its requests; the scores are what `spam` has, with 0.25 for the rest where it says any. */
  readonly answer: (request: string) => unknown;
  readonly classification: object;
};

const RULE: Record<string, string | number>[] = [
  { label: 'spam', reviewAt: 0.3, spamAt: 0.8 },
  { label: 'hate', reviewAt: 0.3 },
];
const LABELS = ['spam', 'hate', 'threat'];
const quarter = { scores: { spam: 0.25, hate: 0.25, threat: 0.25 } };
const bare = { tag: 'guide', start: null, end: null, passage_sha256: null };
const tagged = { tag: 'guide', start: 30, end: 38 };

type Adapter = ClassifierEntry['adapter'];
const scores = (adapter: Adapter, params: Params = {}) => testPolicy({ classifier: { adapter, model: 'm-1', params } });
const tag = (adapter: Adapter, evidence = true, params: Params = {}) =>
  tagPolicy({
    classifier: { adapter, model: 'm-1', params },
    contract: { ...tagPolicy().contract, evidence },
  });
const verdict = (adapter: Adapter, params: Params = {}) =>
  verdictPolicy({ classifier: { adapter, model: 'm-1', params } });

const chat = (members: object) => () => chatCompletion(JSON.stringify({ nonce: NONCE, ...members }));
const own = (members: object) => () => ({ model: 'm-1', content_id: 'c-1001', revision: '01', ...members });
const ids = { content_id: 'c-1001', revision: '01' };
const labels = { spam: 0.25, hate: 0.25, threat: 0.25 };
const listed = LABELS.map((label) => ({ label, score: 0.25 }));
const guide = [
  { label: 'form', score: 0.2 },
  { label: 'guide', score: 0.8 },
];
const GUARD: Params = { labels: { spam: ['S2'], threat: ['S1'] } };
const [yes, no] = [Math.log(0.2), Math.log(0.6)];

export const DIALECTS: readonly Dialect[] = [
  {
    name: 'openai-chat, scores',
    adapter: 'openai-chat',
    document: scores('openai-chat'),
    answer: chat({ labels }),
    classification: quarter,
  },
  {
    name: 'openai-chat, tag',
    adapter: 'openai-chat',
    document: tag('openai-chat'),
    answer: chat({ ...ids, label: 'guide', evidence: EVIDENCE }),
    classification: tagged,
  },
  {
    name: 'openai-chat, tag without evidence',
    adapter: 'openai-chat',
    document: tag('openai-chat', false),
    answer: chat({ ...ids, label: 'guide' }),
    classification: bare,
  },
  {
    name: 'openai-chat, verdict',
    adapter: 'openai-chat',
    document: verdict('openai-chat'),
    answer: chat({ verdict: 'CLEAN' }),
    classification: { word: 'CLEAN' },
  },
  {
    name: 'llama-guard, scores',
    adapter: 'openai-chat',
    preset: 'llama-guard',
    document: scores('openai-chat', GUARD),
    answer: () => chatCompletion('\n\nunsafe\nS1,S10'),
    classification: { scores: { spam: 0, hate: 1, threat: 1 } },
  },
  {
    name: 'llama-guard with logprobs, scores',
    adapter: 'openai-chat',
    preset: 'llama-guard',
    document: scores('openai-chat', { ...GUARD, logprobs: true }),
    answer: () => chatCompletion('\n\nsafe', tokens('safe', { safe: no, unsafe: yes }, ['\n\n'])),
    classification: quarter,
  },
  {
    name: 'llama-guard, verdict',
    adapter: 'openai-chat',
    preset: 'llama-guard',
    document: verdict('openai-chat', { ...GUARD, verdict_rule: RULE }),
    answer: () => chatCompletion('safe'),
    classification: { word: 'CLEAN' },
  },
  {
    name: 'shieldgemma, scores',
    adapter: 'openai-chat',
    preset: 'shieldgemma',
    document: scores('openai-chat'),
    answer: () => chatCompletion('No', tokens('No', { No: no, Yes: yes })),
    classification: quarter,
  },
  {
    name: 'shieldgemma, verdict',
    adapter: 'openai-chat',
    preset: 'shieldgemma',
    document: verdict('openai-chat', { logprobs: false, verdict_rule: RULE }),
    answer: () => chatCompletion('No'),
    classification: { word: 'CLEAN' },
  },
  {
    name: 'safeguard, scores',
    adapter: 'openai-chat',
    preset: 'safeguard',
    document: scores('openai-chat'),
    answer: () => chatCompletion('{"violation":0,"confidence":"medium"}'),
    classification: quarter,
  },
  {
    name: 'safeguard, verdict',
    adapter: 'openai-chat',
    preset: 'safeguard',
    document: verdict('openai-chat', { verdict_rule: RULE }),
    answer: () => chatCompletion('{"violation":0}'),
    classification: { word: 'CLEAN' },
  },
  {
    name: 'openai-moderation, scores',
    adapter: 'openai-moderation',
    document: scores('openai-moderation', { labels: { spam: ['illicit'] } }),
    answer: () => moderation(),
    classification: quarter,
  },
  {
    name: 'openai-moderation, verdict',
    adapter: 'openai-moderation',
    document: verdict('openai-moderation', { labels: { spam: ['illicit'] }, verdict_rule: RULE }),
    answer: () => moderation(),
    classification: { word: 'CLEAN' },
  },
  {
    name: 'text-classification, scores',
    adapter: 'text-classification',
    document: scores('text-classification'),
    answer: () => huggingFaceNested(listed),
    classification: quarter,
  },
  {
    name: 'text-classification, flat, scores',
    adapter: 'text-classification',
    document: scores('text-classification'),
    answer: () => huggingFaceFlat(listed),
    classification: quarter,
  },
  {
    name: 'text-classification, tei, scores',
    adapter: 'text-classification',
    document: scores('text-classification', { server: 'tei' }),
    answer: () => teiPredict(listed),
    classification: quarter,
  },
  {
    name: 'text-classification, tag',
    adapter: 'text-classification',
    document: tag('text-classification', false),
    answer: () => huggingFaceNested(guide),
    classification: bare,
  },
  {
    name: 'text-classification, verdict',
    adapter: 'text-classification',
    document: verdict('text-classification', { verdict_rule: RULE }),
    answer: () => huggingFaceNested(listed),
    classification: { word: 'CLEAN' },
  },
  {
    name: 'http-json, scores',
    adapter: 'http-json',
    document: scores('http-json'),
    answer: own({ labels }),
    classification: quarter,
  },
  {
    name: 'http-json, tag',
    adapter: 'http-json',
    document: tag('http-json'),
    answer: own({ label: 'guide', evidence: EVIDENCE }),
    classification: tagged,
  },
  {
    name: 'http-json, verdict',
    adapter: 'http-json',
    document: verdict('http-json'),
    answer: own({ verdict: 'CLEAN' }),
    classification: { word: 'CLEAN' },
  },
];

import type { Asked } from './asked.ts';
import { chatBody, type Said } from './chat-reply.ts';
import type { AnswerFault } from './faults.ts';
import type { Answer } from './judge.ts';

/** An answer in its format, right or wrong on purpose. */

/** @returns true where the format has a place for the fault. */
export function fitsFault({ form, wanted }: Asked, fault: AnswerFault): boolean {
  const isChat = ['chat', 'llama-guard', 'shieldgemma', 'safeguard'].includes(form);
  const isList = form === 'huggingface' || form === 'tei';
  const own = form === 'chat' || form === 'http-json';
  switch (fault) {
    case 'invalid_json':
    case 'two_objects':
    case 'duplicate_key':
    case 'empty':
      return form !== 'llama-guard' && form !== 'shieldgemma' ? true : fault === 'empty';
    case 'prose':
    case 'truncated':
    case 'content_filter':
    case 'refusal':
      return isChat;
    case 'fenced':
    case 'wrong_nonce':
    case 'missing_nonce':
      return form === 'chat';
    case 'two_choices':
      return isChat || form === 'moderations' || isList;
    case 'wrong_model':
      return !isList;
    case 'wrong_echo':
      return form === 'http-json' || (form === 'chat' && wanted.kind === 'tag');
    case 'unknown_label':
      return (form === 'chat' && wanted.kind !== 'verdict') || (form === 'http-json' && wanted.kind === 'tag');
    case 'missing_label':
    case 'score_string':
    case 'score_1_5':
    case 'score_nan':
      return wanted.kind === 'scores' && (own || isList || form === 'moderations');
    case 'score_null':
      return wanted.kind === 'scores' && (form === 'chat' || isList);
    case 'evidence_not_in_text':
    case 'evidence_too_long':
      return own && wanted.kind === 'tag' && wanted.evidence;
    case 'other_vocabulary':
      return own || isList || form === 'moderations' || form === 'llama-guard';
  }
}

/** @returns the body of a response with status 200. */
export function replyBody(asked: Asked, answer: Answer, fault: AnswerFault | null): string {
  const model = fault === 'wrong_model' ? `not-${asked.model}` : asked.model;
  switch (asked.form) {
    case 'moderations':
      return moderation(model, scoresOf(answer), fault);
    case 'huggingface':
    case 'tei':
      return labelList(asked, scoresOf(answer), fault);
    case 'http-json':
      return broken(fault === 'empty' ? '{}' : ownWords({ asked, answer, fault }, { model }), fault);
    case 'chat': {
      const content = fault === 'empty' ? '' : broken(ownWords({ asked, answer, fault }, {}), fault);
      return chatBody(asked, model, said(content, fault), fault);
    }
    default:
      return chatBody(asked, model, said(guardWords(asked, scoresOf(answer), fault), fault), fault);
  }
}

function said(content: string, fault: AnswerFault | null): Said {
  return { content: fault === 'prose' ? `Sure! Here is my answer.\n${content}\nLet me know.` : content };
}

/** What the contract asks for, one member after the other, so that members can be wrong, missing or there twice. */
function ownWords(
  { asked, answer, fault }: { asked: Asked; answer: Answer; fault: AnswerFault | null },
  before: object,
): string {
  const members: [string, unknown][] = [...Object.entries(before)];
  for (const [name, value] of Object.entries(asked.echoes)) {
    if (fault === 'missing_nonce' && name === 'nonce') continue;
    const foreign = (fault === 'wrong_nonce' && name === 'nonce') || (fault === 'wrong_echo' && name === 'content_id');
    members.push([name, foreign ? 'somebody-else' : value]);
  }
  members.push(...resultOf(answer, fault));
  if (asked.wanted.kind === 'tag' && !asked.wanted.evidence)
    members.splice(
      members.findIndex(([name]) => name === 'evidence'),
      1,
    );
  const text = (name: string, value: unknown): string => `${JSON.stringify(name)}:${json(value)}`;
  const all = members.map(([name, value]) => text(name, value));
  const last = members.at(-1);
  return `{${[...all, ...(fault === 'duplicate_key' && last ? [text(...last)] : [])].join(',')}}`;
}

function resultOf(answer: Answer, fault: AnswerFault | null): [string, unknown][] {
  switch (answer.kind) {
    case 'scores':
      return [['labels', wrongScores(answer.labels, fault)]];
    case 'verdict':
      return [['verdict', fault === 'other_vocabulary' ? 'OK' : answer.verdict]];
    case 'tag': {
      const label = fault === 'unknown_label' || fault === 'other_vocabulary' ? 'LABEL_0' : answer.label;
      const evidence =
        fault === 'evidence_not_in_text'
          ? 'These words stand nowhere in it \u2042'
          : fault === 'evidence_too_long'
            ? 'x'.repeat(301)
            : answer.evidence;
      return [
        ['label', label],
        ['evidence', evidence],
      ];
    }
  }
}

const NAN = Symbol('NaN');

/** NaN is no JSON; a service that prints it is broken in just this way. */
function json(value: unknown): string {
  if (value === NAN) return 'NaN';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value ?? null);
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}:${json(each)}`)
    .join(',')}}`;
}

function wrongScores(labels: Readonly<Record<string, number>>, fault: AnswerFault | null): Record<string, unknown> {
  const [first = '', ...rest] = Object.keys(labels);
  const others = Object.fromEntries(rest.map((name) => [name, labels[name]]));
  switch (fault) {
    case 'missing_label':
      return others;
    case 'unknown_label':
      return { ...labels, LABEL_0: 0.1 };
    case 'other_vocabulary':
      return Object.fromEntries(Object.values(labels).map((score, at) => [`LABEL_${at}`, score]));
    case 'score_string':
      return { [first]: String(labels[first]), ...others };
    case 'score_1_5':
      return { [first]: 1.5, ...others };
    case 'score_nan':
      return { [first]: NAN, ...others };
    case 'score_null':
      return { [first]: null, ...others };
    default:
      return { ...labels };
  }
}

function scoresOf(answer: Answer): Readonly<Record<string, number>> {
  return answer.kind === 'scores' ? answer.labels : {};
}

function broken(text: string, fault: AnswerFault | null): string {
  switch (fault) {
    case 'invalid_json':
      return text.slice(0, -1);
    case 'two_objects':
      return `${text}\n${text}`;
    case 'fenced':
      return `\`\`\`json\n${text}\n\`\`\``;
    default:
      return text;
  }
}

const FLAGGED_AT = 0.5;

function moderation(model: string, known: Readonly<Record<string, number>>, fault: AnswerFault | null): string {
  const at = (label: string): number => known[label] ?? 0;
  const threat = at('threat');
  const categories = {
    harassment: at('harassment'),
    'harassment/threatening': threat,
    hate: at('hate'),
    'hate/threatening': Math.min(at('hate'), threat),
    'self-harm': at('self_harm'),
    'self-harm/intent': 0,
    'self-harm/instructions': 0,
    sexual: at('sexual'),
    'sexual/minors': 0,
    violence: at('violence'),
    'violence/graphic': 0,
    illicit: 0,
    'illicit/violent': 0,
  };
  const flags = Object.fromEntries(Object.entries(categories).map(([name, score]) => [name, score >= FLAGGED_AT]));
  // The first is taken away or spoilt: every label of a policy that this service knows may need it.
  const scores = wrongScores(categories, fault);
  if (fault === 'missing_label') for (const name of Object.keys(scores)) if (name.startsWith('ha')) delete scores[name];
  const result = { flagged: Object.values(flags).includes(true), categories: flags, category_scores: scores };
  const results = fault === 'empty' ? [] : fault === 'two_choices' ? [result, result] : [result];
  const body = `{"id":"modr-stub","model":${JSON.stringify(model)},"results":[${results.map(json).join(',')}]}`;
  return broken(fault === 'duplicate_key' ? body.replace('{', '{"results":[],') : body, fault);
}

function labelList({ form }: Asked, known: Readonly<Record<string, number>>, fault: AnswerFault | null): string {
  const entries = Object.entries(wrongScores(known, fault));
  const list = entries.map(([label, score]) => json({ label, score }));
  if (fault === 'duplicate_key') list.push(...list.slice(0, 1));
  const inner = `[${fault === 'empty' ? '' : list.join(',')}]`;
  if (fault === 'two_choices') return `[${inner},${inner}]`;
  return broken(form === 'tei' ? inner : `[${inner}]`, fault);
}

const GUARD_AT = 0.5;
const GUARD_CATEGORIES: readonly (readonly [string, string])[] = [
  ['violence', 'S1'],
  ['hate', 'S10'],
  ['self_harm', 'S11'],
  ['sexual', 'S12'],
];

function guardWords(
  { form, principle, wanted }: Asked,
  scores: Readonly<Record<string, number>>,
  fault: AnswerFault | null,
): string {
  if (fault === 'empty') return '';
  if (form === 'llama-guard') {
    if (fault === 'other_vocabulary') return 'unsafe\nS99';
    const found = GUARD_CATEGORIES.filter(([label]) => (scores[label] ?? 0) >= GUARD_AT).map(
      ([, category]) => category,
    );
    return found.length === 0 ? '\n\nsafe' : `\n\nunsafe\n${found.join(',')}`;
  }
  if (form === 'shieldgemma') return (scores[principle ?? ''] ?? 0) >= GUARD_AT ? 'Yes' : 'No';
  const labels = wanted.kind === 'scores' ? wanted.labels : [];
  const [worst = ''] = [...labels].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0));
  const score = scores[worst] ?? 0;
  const confidence = Math.abs(score - GUARD_AT) > 0.4 ? 'high' : Math.abs(score - GUARD_AT) > 0.2 ? 'medium' : 'low';
  const violated = score >= GUARD_AT ? `1,"policy_category":${JSON.stringify(worst)}` : '0';
  return broken(
    `{"violation":${violated},${fault === 'duplicate_key' ? '"violation":0,' : ''}"confidence":"${confidence}"}`,
    fault,
  );
}

import { Agent, type Dispatcher } from 'undici';
import type { ClassifierEntry } from '../../lib/classifier/config.ts';
import { openaiChatFormat } from '../../lib/classifier/openai-chat/format.ts';
import type { PolicyDocument } from '../../lib/policy/document.ts';

/** The classifier of the benchmark: a policy of six labels and a stub on this machine that answers it. */

export const MODEL = 'bench-model-1';
export const CLASSIFIER = 'stub';
/** Hex digits of a nonce, which an answer repeats. */
export const NONCE_LENGTH = 64;
export const LABELS = ['spam', 'harassment', 'hate', 'threat', 'sexual', 'self_harm'] as const;

/** Where the stub answers after `delayMs`. */
export const baseUrl = (port: number, delayMs: number): string => `http://127.0.0.1:${port}/after-${delayMs}/v1`;

export function policyText(): string {
  const document: PolicyDocument = {
    policy: 'bench',
    title: 'Policy of the benchmark',
    purpose: 'Gives the benchmark something to derive a verdict from.',
    contract: {
      kind: 'scores',
      labels: LABELS.map((name) => ({
        name,
        definition: `The text as a whole is ${name.replace('_', ' ')} towards a person or a group, not a report of it.`,
        examples: [`A sentence that is plainly ${name}.`],
        not_examples: [`A sentence that only speaks about ${name}.`],
      })),
    },
    contract_version: 'scores/1',
    prompt: {
      template: 'Judge the text by these labels. Say how likely it is that each of them applies.',
      examples: [],
    },
    classifier: { adapter: 'openai-chat', model: MODEL, params: {} },
    rules: LABELS.map((label) => ({ label, reviewAt: 0.5, restrictAt: 0.9, action: 'hide' as const })),
    reasons: [{ code: 'rules', text: 'It breaks the rules' }],
  };
  return JSON.stringify(document);
}

/** The stub as the operator's file would name it. */
export function entry(port: number, delayMs: number): ClassifierEntry {
  return { name: CLASSIFIER, adapter: 'openai-chat', base_url: baseUrl(port, delayMs), model: MODEL };
}

/** The bytes of a request as Docket sends it. */
export function docketBody(id: string, text: string): string {
  const document = JSON.parse(policyText()) as PolicyDocument;
  const nonce = '0'.repeat(NONCE_LENGTH);
  const call = {
    decisionId: nonce,
    contentId: id,
    revision: '1',
    policyVersion: 'bench@1',
    idempotencyKey: nonce,
    nonce,
  };
  const asked = openaiChatFormat.ask({ ...call, document, input: { text } }, {});
  if (typeof asked === 'string') throw new Error('the benchmark has no request');
  return asked.questions[0].body;
}

const PROMPT: string = JSON.parse(docketBody('', 'a')).messages[0].content;

/** A request as a script of a few lines would build it, with the same prompt. */
export function plainBody(id: string, text: string): string {
  return JSON.stringify({
    model: MODEL,
    temperature: 0,
    max_completion_tokens: 2_000,
    messages: [
      { role: 'system', content: PROMPT },
      {
        role: 'user',
        content: JSON.stringify({ nonce: id.padEnd(NONCE_LENGTH, '0'), content_id: id, input: { text } }),
      },
    ],
  });
}

/** What a script reads from an answer. */
export function plainAnswer(body: string): { labels: Record<string, number>; verdict: 'allow' | 'review' } {
  const { labels } = JSON.parse(JSON.parse(body).choices[0].message.content);
  return { labels, verdict: Object.values<number>(labels).some((score) => score >= 0.5) ? 'review' : 'allow' };
}

export const openAgent = (): Agent => new Agent({ keepAliveTimeout: 30_000 });

/** One POST, the whole answer as text, by the quickest interface of the client. */
export function postPlainly(agent: Dispatcher, base: string, body: string): Promise<string> {
  const url = new URL(`${base}/chat/completions`);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let status = 0;
    agent.dispatch(
      { origin: url.origin, path: url.pathname, method: 'POST', headers: { 'content-type': 'application/json' }, body },
      {
        onRequestStart: () => {},
        onResponseStart: (_, code) => {
          status = code;
        },
        onResponseData: (_, chunk) => void chunks.push(chunk),
        onResponseEnd: () =>
          status === 200 ? resolve(Buffer.concat(chunks).toString('utf8')) : reject(new Error(`status ${status}`)),
        onResponseError: (_, error) => reject(error),
      },
    );
  });
}

/** Runs `work` for 0 to `count` - 1 with `concurrency` of them under way. */
export async function together(count: number, concurrency: number, work: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(count, concurrency) }, lane));
}

import { Agent } from 'undici';
import { labelsOf } from '../../policy/schema.ts';
import { type CallFailure, type CallResult, type Classifier, RAW_MAX_BYTES } from '../answer.ts';
import { type ClassifierEntry, CONCURRENCY_DEFAULT, DEADLINE_DEFAULT_MS, mismatch } from '../config.ts';
import { type Posted, post } from '../http/post.http.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import { statusFailure } from '../http/service-error.ts';
import { type ChatParams, chatParams } from '../openai-chat/params.ts';
import { chatBody } from '../openai-chat/request.ts';
import { readChat } from '../openai-chat/response.ts';
import { capped } from '../raw.ts';

/** Bytes of an answer's body; a label set takes a few hundred. */
export const ANSWER_MAX_BYTES = 1024 * 1024;
const KEEP_ALIVE_MS = 30_000;

/**
 * A classifier behind chat completions with JSON-schema answers.
 * @param entry the operator's description; its address was judged when the file was read.
 * @param variable gives an environment variable; the key is read at each call and goes nowhere but the header.
 */
export function openaiChat(entry: ClassifierEntry, variable: (name: string) => string | undefined): Classifier {
  const url = new URL(`${entry.base_url.replace(/\/+$/, '')}/chat/completions`);
  const deadlineMs = entry.deadline_ms ?? DEADLINE_DEFAULT_MS;
  const agent = new Agent({ keepAliveTimeout: KEEP_ALIVE_MS, connect: { timeout: deadlineMs } });
  return {
    name: entry.name,
    adapter: entry.adapter,
    models: [entry.model],
    concurrency: entry.concurrency ?? CONCURRENCY_DEFAULT,
    deadlineMs,
    close: () => agent.close(),
    classify: async (call, signal) => {
      const started = performance.now();
      const failed = (outcome: CallFailure['outcome']): CallFailure => ({ outcome, latencyMs: since(started) });
      if (mismatch({ adapter: entry.adapter, models: [entry.model] }, call.document)) return failed('model_mismatch');
      const params = chatParams(entry.params, call.document.classifier.params);
      const key = entry.api_key_env === undefined ? null : variable(entry.api_key_env);
      if (!params || key === undefined || key === '' || (key !== null && !isHeaderSafe(key)))
        return failed('config_error');
      const body = chatBody(call, params);
      if (body === null) return failed('internal_error');
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json',
        'idempotency-key': call.idempotencyKey,
        ...(key !== null && { authorization: `Bearer ${key}` }),
      };
      const posted = await post(agent, { url, headers, body, deadlineMs, maxBytes: ANSWER_MAX_BYTES }, signal);
      const labels = labelsOf(call.document).map((label) => label.name);
      const result = resultOf(posted, { pinned: entry.model, nonce: call.nonce, labels, params, body, key });
      return { ...result, latencyMs: since(started) };
    },
  };
}

type Asked = {
  readonly pinned: string;
  readonly nonce: string;
  readonly labels: readonly string[];
  readonly params: ChatParams;
  readonly body: string;
  readonly key: string | null;
};

function resultOf(posted: Posted, asked: Asked): CallResult {
  if (posted.outcome !== 'response') return { outcome: posted.outcome, latencyMs: 0 };
  const { status, header, body } = posted;
  if (status !== 200) {
    const text = body.toString('utf8');
    const wait = retryAfterMs(header, Date.now());
    return {
      outcome: statusFailure(status, text),
      ...(wait !== undefined && { retryAfterMs: wait }),
      raw: evidence(text, asked.key),
      latencyMs: 0,
    };
  }
  const read = readChat({ contentType: header('content-type'), body }, asked.pinned, asked, asked.params);
  const units = read.tokens ?? Buffer.byteLength(asked.body);
  const raw = evidence(read.raw, asked.key);
  if (read.outcome !== 'ok') return { outcome: read.outcome, units, raw, latencyMs: 0 };
  const { scores, model, normalised } = read;
  const weight = { requestBytes: Buffer.byteLength(asked.body), contentBytes: 0 };
  return {
    outcome: 'ok',
    classification: { scores },
    otherScores: {},
    model,
    units,
    raw,
    latencyMs: 0,
    normalised,
    weight,
  };
}

/** A service may repeat the key in its complaint; evidence must not keep it. */
function evidence(text: string, key: string | null): string {
  return capped(key === null ? text : text.replaceAll(key, '[key]'), RAW_MAX_BYTES);
}

/** A line break in a variable would be an error of the HTTP client, thrown with the value in it. */
function isHeaderSafe(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key);
}

function since(started: number): number {
  return Math.round(performance.now() - started);
}

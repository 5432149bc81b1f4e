import { Agent } from 'undici';
import { hasLoneSurrogate, utf8Length } from '../../kernel/text.ts';
import { type Call, type CallResult, type Classifier, RAW_MAX_BYTES, type Weight } from '../answer.ts';
import { type ClassifierEntry, CONCURRENCY_DEFAULT, DEADLINE_DEFAULT_MS, mismatch } from '../config.ts';
import type { FailureCode } from '../failure.ts';
import type { Format, Question } from '../format.ts';
import { capped } from '../raw.ts';
import { type Heard, joined } from '../said.ts';
import { validate } from '../validate.ts';
import { post } from './post.http.ts';
import { retryAfterMs } from './retry-after.ts';
import { statusFailure } from './service-error.ts';

/** The one way of asking a service: key, deadline, status, evidence and weight, whatever the format. */

/** Bytes of an answer's body; a label set takes a few hundred. */
export const ANSWER_MAX_BYTES = 1024 * 1024;
const KEEP_ALIVE_MS = 30_000;

/** What of the way there an adapter needs besides the format. */
type Way = {
  readonly agent: Agent;
  readonly url: URL;
  readonly key: string | null;
  readonly deadlineMs: number;
};

/**
 * A classifier behind HTTP.
 * @param entry the operator's description; its address was judged when the file was read.
 * @param variable gives an environment variable; the key is read at each call and goes nowhere but the header.
 * @param format in which the service speaks.
 */
export function remoteClassifier(
  entry: ClassifierEntry,
  variable: (name: string) => string | undefined,
  format: Format,
): Classifier {
  const base = entry.base_url.replace(/\/+$/, '');
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
      const spent = (): number => Math.round(performance.now() - started);
      const unsent = (outcome: FailureCode): CallResult => ({ outcome, latencyMs: spent() });
      if (mismatch({ adapter: entry.adapter, models: [entry.model] }, call.document)) return unsent('model_mismatch');
      const key = entry.api_key_env === undefined ? null : variable(entry.api_key_env);
      if (key === undefined || (key !== null && !isHeaderSafe(key))) return unsent('config_error');
      if (!isWellFormed(call)) return unsent('internal_error');
      const asked = format.ask(call, { ...entry.params, ...call.document.classifier.params });
      if (typeof asked === 'string') return unsent(asked);
      const way = { agent, url: new URL(`${base}${asked.path}`), key, deadlineMs };
      return { ...(await converse(call, asked.questions, way, spent, signal)), latencyMs: spent() };
    },
  };
}

/** Asks every question in turn and judges what was said; the deadline is one for all of them. */
async function converse(
  call: Call,
  questions: readonly Question[],
  way: Way,
  spent: () => number,
  signal: AbortSignal,
): Promise<CallResult> {
  const heard: Extract<Heard, { outcome: 'ok' }>[] = [];
  let units = 0;
  let weight: Weight = { requestBytes: 0, contentBytes: 0 };
  const contentBytes = utf8Length(JSON.stringify(call.input.text));
  for (const [at, question] of questions.entries()) {
    const deadlineMs = way.deadlineMs - (at === 0 ? 0 : spent());
    // The same key always carries the same bytes, so each question has its own.
    const idempotencyKey = questions.length === 1 ? call.idempotencyKey : `${call.idempotencyKey}:${at}`;
    const requestBytes = utf8Length(question.body);
    weight = { requestBytes: weight.requestBytes + requestBytes, contentBytes: weight.contentBytes + contentBytes };
    const result = await exchange({ ...way, deadlineMs }, question, idempotencyKey, signal);
    if (!('said' in result)) {
      const all = units + (result.units ?? 0);
      return { ...result, ...(all > 0 && { units: all }), weight, latencyMs: 0 };
    }
    units += result.tokens ?? requestBytes;
    heard.push(result);
  }
  const raw = capped(heard.map((each) => each.raw).join('\n'));
  const [first] = heard;
  const said = joined(heard.map((each) => each.said));
  if (!first || !said) return { outcome: 'schema_mismatch', units, raw, weight, latencyMs: 0 };
  // Labels judged by two models would carry a provenance that is half wrong.
  if (heard.some(({ model }) => model !== first.model))
    return { outcome: 'model_mismatch', units, raw, weight, latencyMs: 0 };
  const judged = validate(call, said);
  if (judged.outcome !== 'ok') return { outcome: judged.outcome, units, raw, weight, latencyMs: 0 };
  const normalised = [...new Set(heard.flatMap((each) => each.normalised))];
  return { ...judged, model: first.model, units, raw, latencyMs: 0, normalised, weight };
}

type Broken = {
  readonly outcome: FailureCode;
  readonly retryAfterMs?: number;
  readonly raw?: string;
  readonly units?: number;
};

/** One request and its answer, read but not judged. */
async function exchange(
  { agent, url, key, deadlineMs }: Way,
  { body, read }: Question,
  idempotencyKey: string,
  signal: AbortSignal,
): Promise<Extract<Heard, { outcome: 'ok' }> | Broken> {
  if (deadlineMs <= 0) return { outcome: 'timeout' };
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'idempotency-key': idempotencyKey,
    ...(key !== null && { authorization: `Bearer ${key}` }),
  };
  const posted = await post(agent, { url, headers, body, deadlineMs, maxBytes: ANSWER_MAX_BYTES }, signal);
  if (posted.outcome !== 'response') return { outcome: posted.outcome, ...mayHaveCost(posted.outcome, body) };
  const { status, header } = posted;
  if (status !== 200) {
    const text = posted.body.toString('utf8');
    const wait = retryAfterMs(header, Date.now());
    return {
      outcome: statusFailure(status, text),
      ...(wait !== undefined && { retryAfterMs: wait }),
      raw: evidence(text, key),
    };
  }
  const heard = read({ contentType: header('content-type'), body: posted.body });
  const raw = evidence(heard.raw, key);
  if (heard.outcome === 'ok') return { ...heard, raw };
  return { outcome: heard.outcome, units: heard.tokens ?? utf8Length(body), raw };
}

/** What was sent and never answered may have been worked on and billed; what never left costs nothing. */
function mayHaveCost(outcome: FailureCode, body: string): { readonly units?: number } {
  return outcome === 'timeout' || outcome === 'outcome_unknown' ? { units: utf8Length(body) } : {};
}

/** A service may repeat the key in its complaint; evidence must not keep it. */
function evidence(text: string, key: string | null): string {
  return capped(key === null ? text : text.replaceAll(key, '[key]'), RAW_MAX_BYTES);
}

/** An empty key is no key, and a line break in a variable would be an error of the HTTP client with the value in it. */
function isHeaderSafe(key: string): boolean {
  return /^[\x21-\x7e]+$/.test(key);
}

/** Half a character cannot travel: a strict service would refuse the whole body, again and again. */
function isWellFormed({ contentId, revision, input }: Call): boolean {
  return ![contentId, revision, ...Object.values(input)].some((text) => text !== undefined && hasLoneSurrogate(text));
}

import { isJsonObject, JsonNumber, type JsonValue, parseJson } from '../../kernel/json.ts';
import type { Normalised } from '../answer.ts';
import type { FailureCode } from '../failure.ts';
import { envelopeFailure } from '../http/service-error.ts';
import { withoutThinking } from '../raw.ts';
import { type Expected, readContent } from './content.ts';
import { type ChatParams, isModel } from './params.ts';

export type Envelope = { readonly contentType: string | undefined; readonly body: Uint8Array };
export type ReadChat =
  | {
      readonly outcome: 'ok';
      readonly scores: Record<string, number>;
      readonly model: string;
      readonly tokens: number | null;
      readonly raw: string;
      readonly normalised: readonly Normalised[];
    }
  | { readonly outcome: FailureCode; readonly tokens: number | null; readonly raw: string };
type JsonObject = { [key: string]: JsonValue };

/**
 * Reads a chat completion that came with status 200. Order matters: what the transport says goes before what the
 * service says, that before why the model stopped, and that before what the model wrote.
 * @param pinned the model that must have answered.
 */
export function readChat(
  envelope: Envelope,
  pinned: string,
  expected: Omit<Expected, 'stripThink'>,
  params: ChatParams,
): ReadChat {
  const text = decode(envelope.body);
  if (text === null) return { outcome: 'bad_upstream', tokens: null, raw: '' };
  const fail = (outcome: FailureCode, raw = text): ReadChat => ({ outcome, tokens: null, raw });
  const kind = (envelope.contentType ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';
  // A stream was not asked for. One that never says it is done must not be taken for an answer.
  if (kind === 'text/event-stream')
    return fail(/^data: ?\[DONE\]\s*$/m.test(text) ? 'bad_upstream' : 'incomplete_stream');
  if (!/^(application|text)\/([a-z0-9.-]+\+)?json$/.test(kind)) return fail('bad_upstream');
  const json = parseJson(text);
  if (!json.ok) return fail(json.fault === 'duplicate_key' ? 'duplicate_key' : 'bad_upstream');
  const failure = envelopeFailure(json.value);
  if (failure) return fail(failure);
  if (!isJsonObject(json.value) || !Array.isArray(json.value.choices)) return fail('bad_upstream');
  return readCompletion(
    json.value,
    json.value.choices,
    pinned,
    { ...expected, stripThink: params.strip_think },
    params,
  );
}

function readCompletion(
  completion: JsonObject,
  choices: readonly JsonValue[],
  pinned: string,
  expected: Expected,
  params: ChatParams,
): ReadChat {
  const tokens = totalTokens(completion.usage);
  const [choice] = choices;
  if (choice === undefined) return { outcome: 'bad_upstream', tokens, raw: '' };
  const message = isJsonObject(choice) ? choice.message : undefined;
  const raw = rawOf(message);
  const fail = (outcome: FailureCode): ReadChat => ({ outcome, tokens, raw });
  const model = typeof completion.model === 'string' ? completion.model : null;
  if (!isModel(pinned, model, params.model_echo)) return fail('model_mismatch');
  // One answer was asked for; choosing between two would be our decision, not the model's.
  if (choices.length > 1 || !isJsonObject(choice)) return fail('schema_mismatch');
  const stopped = stopFailure(choice.finish_reason);
  if (stopped) return fail(stopped);
  if (!isJsonObject(message)) return fail('missing_result');
  if (typeof message.refusal === 'string' && message.refusal !== '') return fail('refused');
  const { content } = message;
  if (content === null || content === undefined) return fail('empty_output');
  if (typeof content !== 'string') return fail('schema_mismatch');
  const read = readContent(content, expected);
  if (read.outcome !== 'ok') return fail(read.outcome);
  return { outcome: 'ok', scores: read.scores, model: model ?? pinned, tokens, raw, normalised: read.normalised };
}

function stopFailure(reason: JsonValue | undefined): FailureCode | null {
  switch (reason) {
    case 'stop':
      return null;
    case 'length':
      return 'truncated_output';
    case 'content_filter':
      return 'provider_filtered';
    case null:
    case undefined:
      return 'incomplete_stream';
    default:
      return 'schema_mismatch';
  }
}

/** What the model said; its thinking is not kept, wherever a service puts it. */
function rawOf(message: JsonValue | undefined): string {
  if (!isJsonObject(message)) return '';
  if (typeof message.content === 'string' && message.content !== '') return withoutThinking(message.content).rest;
  return typeof message.refusal === 'string' ? message.refusal : '';
}

function totalTokens(usage: JsonValue | undefined): number | null {
  const total = isJsonObject(usage) ? usage.total_tokens : undefined;
  return total instanceof JsonNumber && Number.isSafeInteger(total.value) && total.value >= 0 ? total.value : null;
}

function decode(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return null;
  }
}

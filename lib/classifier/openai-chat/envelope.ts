import { isJsonObject, JsonNumber, type JsonValue } from '../../kernel/json.ts';
import type { Normalised } from '../answer.ts';
import type { FailureCode } from '../failure.ts';
import { type Arrived, readBody } from '../http/json-body.ts';
import { modelNamed } from '../model-echo.ts';
import { withoutThinking } from '../raw.ts';
import type { Heard, Said } from '../said.ts';
import type { ChatParams } from './params.ts';

type JsonObject = { [key: string]: JsonValue };
/** What a model wrote, complete and stopped by itself. */
export type Message = { readonly content: string; readonly logprobs: JsonValue | undefined };
/** @returns what was said, with what was taken off; or why it is no answer. */
export type ReadMessage = (
  message: Message,
) => { readonly said: Said; readonly normalised: readonly Normalised[] } | FailureCode;

/**
 * Reads a chat completion that came with status 200. Order matters: what the transport says goes before what the
 * service says, that before why the model stopped, and that before what the model wrote.
 * @param pinned the model that must have answered.
 */
export function readCompletion(arrived: Arrived, pinned: string, params: ChatParams, read: ReadMessage): Heard {
  const body = readBody(arrived);
  if (!body.ok) return { outcome: body.outcome, tokens: null, raw: body.text };
  const completion = body.value;
  if (!isJsonObject(completion) || !Array.isArray(completion.choices))
    return { outcome: 'bad_upstream', tokens: null, raw: body.text };
  const tokens = totalTokens(completion.usage);
  const [choice, ...more] = completion.choices;
  if (choice === undefined) return { outcome: 'bad_upstream', tokens, raw: '' };
  const raw = rawOf(isJsonObject(choice) ? choice.message : undefined);
  const fail = (outcome: FailureCode): Heard => ({ outcome, tokens, raw });
  const model = modelNamed(pinned, completion.model, params.model_echo);
  if (model === null) return fail('model_mismatch');
  // One answer was asked for; choosing between two would be our decision, not the model's.
  if (more.length > 0 || !isJsonObject(choice)) return fail('schema_mismatch');
  const message = readChoice(choice, params);
  if (typeof message === 'string') return fail(message);
  const result = read(message.value);
  if (typeof result === 'string') return fail(result);
  const { said, normalised } = result;
  return { outcome: 'ok', said, model, tokens, raw, normalised: [...message.normalised, ...normalised] };
}

function readChoice(
  { finish_reason, message, logprobs }: JsonObject,
  params: ChatParams,
): { value: Message; normalised: Normalised[] } | FailureCode {
  const stopped = stopFailure(finish_reason);
  if (stopped) return stopped;
  if (!isJsonObject(message)) return 'missing_result';
  const { refusal = null } = message;
  if (refusal !== null && typeof refusal !== 'string') return 'schema_mismatch';
  if (refusal !== null && refusal !== '') return 'refused';
  const { content } = message;
  if (content === null || content === undefined) return 'empty_output';
  if (typeof content !== 'string') return 'schema_mismatch';
  const { rest, thought } = params.strip_think ? withoutThinking(content) : { rest: content, thought: false };
  if (rest.trim() === '') return 'empty_output';
  return { value: { content: rest, logprobs }, normalised: thought ? ['leading_think_block'] : [] };
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

import { type JsonValue, parseJson } from '../../kernel/json.ts';
import type { FailureCode } from '../failure.ts';
import { envelopeFailure } from './service-error.ts';

/** A body that came with status 200, as it arrived. */
export type Arrived = { readonly contentType: string | undefined; readonly body: Uint8Array };
export type ReadBody =
  | { readonly ok: true; readonly value: JsonValue; readonly text: string }
  | { readonly ok: false; readonly outcome: FailureCode; readonly text: string };

/**
 * Reads the body of an answer as one strict JSON value. What the transport says goes before what the service says: a
 * page of a proxy, a stream nobody asked for and an error envelope are no answers, whatever else stands in them.
 */
export function readBody({ contentType, body }: Arrived): ReadBody {
  const text = decode(body);
  if (text === null) return { ok: false, outcome: 'bad_upstream', text: '' };
  const fail = (outcome: FailureCode): ReadBody => ({ ok: false, outcome, text });
  const kind = (contentType ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';
  // A stream that never says it is done must not be taken for an answer.
  if (kind === 'text/event-stream')
    return fail(/^data: ?\[DONE\]\s*$/m.test(text) ? 'bad_upstream' : 'incomplete_stream');
  if (!/^(application|text)\/([a-z0-9.-]+\+)?json$/.test(kind)) return fail('bad_upstream');
  const json = parseJson(text);
  if (!json.ok) return fail(json.fault === 'duplicate_key' ? 'duplicate_key' : 'bad_upstream');
  const failure = envelopeFailure(json.value);
  return failure ? fail(failure) : { ok: true, value: json.value, text };
}

function decode(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return null;
  }
}

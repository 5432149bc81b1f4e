import { describe, expect, test } from 'vitest';
import { type ChatRequest, completion, type Respond, send, validContent } from '../testing/chat-stub.http.ts';
import { body, remoteFixture, says } from '../testing/remote-fixture.http.ts';

const remote = remoteFixture();

const labels = (change: Record<string, unknown>) => (request: ChatRequest) => {
  const answer = JSON.parse(validContent(request, 0.25));
  return JSON.stringify({ ...answer, labels: { ...answer.labels, ...change } });
};
const replaced = (from: string, to: string) => (request: ChatRequest) => validContent(request, 0.25).replace(from, to);

describe('an answer that does not', () => {
  const score = (written: string) => says(replaced('"spam":0.25', `"spam":${written}`));
  const valid = (request: ChatRequest) => validContent(request, 0.25);

  test.each<[string, Respond, string]>([
    ['a fence of another language before it', says((r) => `\`\`\`bash\nls\n\`\`\`\n${valid(r)}`), 'invalid_json'],
    ['a fence of another language around it', says((r) => `\`\`\`yaml\n${valid(r)}\n\`\`\``), 'invalid_json'],
    ['a fence in a fence', says((r) => `\`\`\`\n\`\`\`json\n${valid(r)}\n\`\`\`\n\`\`\``), 'invalid_json'],
    ['two fences', says((r) => `\`\`\`json\n${valid(r)}\n\`\`\`\n\`\`\`json\n${valid(r)}\n\`\`\``), 'invalid_json'],
    ['prose before it', says((r) => `Here it is: ${valid(r)}`), 'invalid_json'],
    ['prose after it', says((r) => `${valid(r)}\n\nLet me know!`), 'invalid_json'],
    ['two objects', says((r) => `${valid(r)}${valid(r)}`), 'invalid_json'],
    ['a byte order mark in the message', says((r) => `\ufeff${valid(r)}`), 'invalid_json'],
    ['cut off', says((r) => valid(r).slice(0, -1)), 'invalid_json'],
    ['a think block where nobody allowed it', says((r) => `<think>a</think>${valid(r)}`), 'invalid_json'],
    ['NaN', score('NaN'), 'invalid_json'],
    ['Infinity', score('Infinity'), 'invalid_json'],
    ['a leading plus', score('+0.5'), 'invalid_json'],
    ['a comment', says(replaced('{', '{/* fine */')), 'invalid_json'],
    ['a trailing comma', says(replaced('}}', ',}}')), 'invalid_json'],
    ['text as score', score('"0.95"'), 'schema_mismatch'],
    ['a percentage', score('"95%"'), 'schema_mismatch'],
    ['a score above 1', score('1.4'), 'schema_mismatch'],
    ['a score of 95', score('95'), 'schema_mismatch'],
    ['a negative score', score('-0.1'), 'schema_mismatch'],
    ['a huge score', score('9.2e+124'), 'schema_mismatch'],
    ['a score beyond all numbers', score('1e999'), 'schema_mismatch'],
    ['null as score', score('null'), 'schema_mismatch'],
    ['true as score', score('true'), 'schema_mismatch'],
    ['a list as score', score('[0.5]'), 'schema_mismatch'],
    ['a missing label', says(labels({ spam: undefined })), 'schema_mismatch'],
    ['a label too many', says(labels({ violence: 0 })), 'unknown_label'],
    ['a label in capitals', says(labels({ spam: undefined, Spam: 0 })), 'unknown_label'],
    ['a label with a space', says(labels({ spam: undefined, 'spam ': 0 })), 'unknown_label'],
    ['a label that objects inherit', says(replaced('"spam"', '"__proto__"')), 'unknown_label'],
    ['a label twice', says(replaced('"spam":0.25', '"spam":0.9,"spam":0.1')), 'duplicate_key'],
    ['labels twice', says(replaced('"labels"', '"labels":{},"labels"')), 'duplicate_key'],
    ['a label twice, once escaped', says(replaced('"spam":0.25', '"spam":0.9,"\\u0073pam":0.1')), 'duplicate_key'],
    ['a member too many', says(replaced('{', '{"reason":"none",')), 'schema_mismatch'],
    ['labels as a list', says((r) => JSON.stringify({ nonce: r.user.nonce, labels: [0, 0, 0] })), 'schema_mismatch'],
    ['a list around it', says((r) => `[${valid(r)}]`), 'schema_mismatch'],
    ['a bare number', says(() => '0'), 'schema_mismatch'],
    ['no nonce', says((r) => JSON.stringify({ labels: JSON.parse(valid(r)).labels })), 'item_mismatch'],
    ['another nonce', says(replaced('"nnn', '"xnn')), 'item_mismatch'],
    ['the nonce in capitals', says((r) => valid(r).replace(r.user.nonce, r.user.nonce.toUpperCase())), 'item_mismatch'],
    ['what the comment told the model to say', says(() => '{"decision":"APPROVE"}'), 'item_mismatch'],
    ['an empty message', says(() => ''), 'empty_output'],
    ['white space', says(() => ' \n'), 'empty_output'],
    ['no message text', says(() => null), 'empty_output'],
    ['a message of parts', says((r) => [{ type: 'text', text: valid(r) }]), 'schema_mismatch'],
    ['a message that is no object', says(valid, { choice: { message: 'x' } }), 'missing_result'],
    ['a choice without message', says(valid, { choice: { message: undefined } }), 'missing_result'],
    ['length, though complete', says(valid, { choice: { finish_reason: 'length' } }), 'truncated_output'],
    ['length and cut', says((r) => valid(r).slice(0, 20), { choice: { finish_reason: 'length' } }), 'truncated_output'],
    ['content_filter', says(() => null, { choice: { finish_reason: 'content_filter' } }), 'provider_filtered'],
    [
      'content_filter, though complete',
      says(valid, { choice: { finish_reason: 'content_filter' } }),
      'provider_filtered',
    ],
    ['a call of a tool', says(valid, { choice: { finish_reason: 'tool_calls' } }), 'schema_mismatch'],
    ['no reason to stop', says(valid, { choice: { finish_reason: null } }), 'incomplete_stream'],
    ['a refusal', says(() => null, { message: { refusal: 'I cannot' } }), 'refused'],
    ['a refusal beside an answer', says(valid, { message: { refusal: 'I cannot' } }), 'refused'],
    [
      'something beside an answer that stands for a refusal',
      says(valid, { message: { refusal: true } }),
      'schema_mismatch',
    ],
    ['another model', says(valid, { model: 'stub-model-2' }), 'model_mismatch'],
    [
      'a dated release where the very model is due',
      says(valid, { model: 'stub-model-1-2026-11-30' }),
      'model_mismatch',
    ],
    ['no model', says(valid, { model: undefined }), 'model_mismatch'],
    [
      'two choices',
      (r, response) =>
        send(response, {
          ...completion(valid(r)),
          choices: [1, 2].map(() => ({ finish_reason: 'stop', message: { content: valid(r) } })),
        }),
      'schema_mismatch',
    ],
    ['no choices', body({ choices: [] }), 'bad_upstream'],
    ['an empty object', body({}), 'bad_upstream'],
    ['an empty body', body(''), 'bad_upstream'],
    ['a list', body([]), 'bad_upstream'],
    [
      'a repeated key around the message',
      (r, response) => send(response, JSON.stringify(completion(valid(r))).replace('{', '{"model":"x",')),
      'duplicate_key',
    ],
    ['a page', body('<html><body>welcome</body></html>', 200, { 'content-type': 'text/html' }), 'bad_upstream'],
    ['a page that says it is JSON', body('<html><body>502 Bad Gateway</body></html>'), 'bad_upstream'],
    [
      'JSON that says it is a page',
      (r, response) => send(response, completion(valid(r)), 200, { 'content-type': 'text/html' }),
      'bad_upstream',
    ],
    ['bytes that are no UTF-8', body(Buffer.from([0x7b, 0xff, 0x7d])), 'bad_upstream'],
    [
      'a stream that never says it is done',
      body('data: {"choices":[]}\n\n', 200, { 'content-type': 'text/event-stream' }),
      'incomplete_stream',
    ],
    [
      'a whole stream nobody asked for',
      body('data: {}\n\ndata: [DONE]\n\n', 200, { 'content-type': 'text/event-stream' }),
      'bad_upstream',
    ],
    ['an error with status 200', body({ error: true, message: 'monitor unavailable' }), 'bad_upstream'],
    ['overload with status 200', body({ error: { type: 'overloaded_error' } }), 'bad_upstream'],
    ['no money with status 200', body({ error: { code: 'insufficient_quota' } }), 'quota_exhausted'],
    ['a rate limit with status 200', body({ error: { type: 'rate_limit_error' } }), 'rate_limited'],
    ['a status inside status 200', body({ error: { code: 429, message: 'x' } }), 'rate_limited'],
    ['a wrong key with status 200', body({ error: { code: 'invalid_api_key' } }), 'config_error'],
    [
      'an error beside a valid answer',
      (r, response) => send(response, completion(valid(r), { error: { message: 'x' } })),
      'bad_upstream',
    ],
    ['another status of success', (r, response) => send(response, completion(valid(r)), 201), 'bad_upstream'],
    ['no content', body('', 204), 'bad_upstream'],
  ])('%s', async (_, respond, outcome) => {
    expect((await remote.ask(respond)).outcome).toBe(outcome);
    expect(remote.stub.requests).toHaveLength(1);
  });

  test('a think block that never closes leaves nothing to read', async () => {
    expect(
      (
        await remote.ask(
          says((r) => `<think>${validContent(r)}`),
          { strip_think: true },
        )
      ).outcome,
    ).toBe('empty_output');
  });
});

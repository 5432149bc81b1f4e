import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { testPolicy } from '../../policy/testing.ts';
import type { Call, CallResult, Classifier } from '../answer.ts';
import type { ClassifierEntry } from '../config.ts';
import { openRemote } from '../make.http.ts';
import {
  answerAll,
  type ChatRequest,
  type ChatStub,
  completion,
  type Respond,
  send,
  startChatStub,
} from './chat-stub.http.ts';

/** An openai-chat classifier against a service on this machine, for one test file. */

export const KEY = 'canary-turnip-key';
export const TEXT = 'canary-turnip-text "quoted" \\ 🙂\nsecond line';
export const signal = new AbortController().signal;
type Params = Record<string, string | number | boolean>;

/** @returns a call with content that must never be seen outside evidence. */
export function callOf(changes: Partial<Call> = {}, params: Params = {}): Call {
  return {
    decisionId: 'd'.repeat(64),
    contentId: 'c-1001',
    revision: '01',
    policyVersion: 'test@1',
    idempotencyKey: `${'d'.repeat(64)}:0:0`,
    nonce: 'n'.repeat(64),
    document: testPolicy({ classifier: { adapter: 'openai-chat', model: 'stub-model-1', params } }),
    input: { text: TEXT, title: 'Title', author_name: 'canary-turnip-author' },
    ...changes,
  };
}

/** Starts the service before the file's tests and ends it after them. */
export function remoteFixture() {
  const open: Classifier[] = [];
  const fixture = {
    stub: undefined as unknown as ChatStub,
    classifier(changes: Partial<ClassifierEntry> = {}): Classifier {
      const entry: ClassifierEntry = {
        name: 'remote',
        adapter: 'openai-chat',
        base_url: fixture.stub.url,
        model: 'stub-model-1',
        api_key_env: 'MODELS_KEY',
        deadline_ms: 5_000,
        ...changes,
      };
      const made = openRemote(entry, (name) => (name === 'MODELS_KEY' ? KEY : undefined));
      open.push(made);
      return made;
    },
    /** Asks once; whatever comes back, nothing but evidence may hold content, and not even evidence the key. */
    async ask(respond: Respond, params: Params = {}, entry: Partial<ClassifierEntry> = {}): Promise<CallResult> {
      fixture.stub.respond = respond;
      const result = await fixture.classifier(entry).classify(callOf({}, params), signal);
      const { raw = '', ...rest } = result;
      expect(JSON.stringify(rest)).not.toContain('canary-turnip');
      expect(raw).not.toContain(KEY);
      return result;
    },
  };
  beforeAll(async () => {
    fixture.stub = await startChatStub();
  });
  afterAll(() => fixture.stub.close());
  beforeEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
    fixture.stub.requests.length = 0;
    fixture.stub.respond = answerAll(0.25);
  });
  return fixture;
}

/** @returns a responder whose model says this. */
export function says(content: (request: ChatRequest) => unknown, over: Record<string, unknown> = {}): Respond {
  return (request, response) => send(response, completion(content(request), over));
}

/** @returns a responder with this body. */
export function body(text: unknown, status = 200, headers: Record<string, string> = {}): Respond {
  return (_, response) => send(response, text, status, headers);
}

import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Call, CallResult, Classifier } from '../answer.ts';
import type { ClassifierEntry } from '../config.ts';
import { openRemote } from '../make.http.ts';
import { type Dialect, NONCE, TEXT } from './dialects.ts';
import { type Serve, type Service, startService } from './service.http.ts';

/** Classifiers in any dialect against a service on this machine, for one test file. */

export const KEY = 'canary-turnip-key';
const signal = new AbortController().signal;

/** @returns a call with content that must never be seen outside evidence. */
export function dialectCall({ document }: Pick<Dialect, 'document'>, changes: Partial<Call> = {}): Call {
  return {
    decisionId: 'd'.repeat(64),
    contentId: 'c-1001',
    revision: '01',
    policyVersion: 'test@1',
    idempotencyKey: `${'d'.repeat(64)}:0:0`,
    nonce: NONCE,
    document,
    input: { text: TEXT, title: 'Title', author_name: 'canary-turnip-author', parent_text: 'Parent' },
    ...changes,
  };
}

/** Starts the service before the file's tests and ends it after them. */
export function dialectFixture() {
  const open: Classifier[] = [];
  const fixture = {
    service: undefined as unknown as Service,
    /** Asks once; whatever comes back, nothing but evidence may hold content, and not even evidence the key. */
    async ask(
      dialect: Pick<Dialect, 'adapter' | 'preset' | 'document'>,
      serve: Serve,
      { entry = {}, call = {} }: { readonly entry?: Partial<ClassifierEntry>; readonly call?: Partial<Call> } = {},
    ): Promise<CallResult> {
      fixture.service.serve = serve;
      const { adapter, preset, document } = dialect;
      const classifier = openRemote(
        {
          name: 'remote',
          adapter,
          base_url: fixture.service.url,
          model: 'm-1',
          api_key_env: 'K',
          deadline_ms: 5_000,
          ...(preset && { preset }),
          ...entry,
        },
        (name) => (name === 'K' ? KEY : undefined),
      );
      open.push(classifier);
      const result = await classifier.classify(dialectCall({ document }, call), signal);
      const { raw = '', ...rest } = result;
      expect(JSON.stringify(rest)).not.toContain('canary-turnip');
      expect(raw).not.toContain(KEY);
      return result;
    },
  };
  beforeAll(async () => {
    fixture.service = await startService();
  });
  afterAll(() => fixture.service.close());
  beforeEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
    fixture.service.received.length = 0;
  });
  return fixture;
}

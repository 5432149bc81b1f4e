import { STUB_MODEL } from './asked.ts';

/** @returns a classifiers file with the stub under every format it speaks; policies pin the adapter and `docket-stub`. */
export function classifiersFor(origin: string): object {
  const entry = (name: string, adapter: string, path: string, more: object = {}) => ({
    name,
    adapter,
    base_url: `${origin}${path}`,
    model: STUB_MODEL,
    ...more,
  });
  return {
    classifiers: [
      entry('stub-chat', 'openai-chat', '/v1'),
      entry('stub-llama-guard', 'openai-chat', '/v1', { preset: 'llama-guard' }),
      entry('stub-shieldgemma', 'openai-chat', '/v1', { preset: 'shieldgemma' }),
      entry('stub-safeguard', 'openai-chat', '/v1', { preset: 'safeguard' }),
      entry('stub-moderation', 'openai-moderation', '/v1'),
      entry('stub-huggingface', 'text-classification', `/models/${STUB_MODEL}`),
      entry('stub-tei', 'text-classification', '', { params: { server: 'tei' } }),
      entry('stub-json', 'http-json', '/classify'),
    ],
  };
}

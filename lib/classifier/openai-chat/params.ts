import { z } from 'zod';

/** Settings of a chat call. The policy's own are pinned with it and win over those of the endpoint. */
const schema = z.strictObject({
  temperature: z.number().min(0).max(2).default(0),
  top_p: z.number().min(0).max(1).optional(),
  seed: z.int().optional(),
  max_tokens: z.int().min(16).max(100_000).default(2_000),
  /** Which field carries max_tokens; some servers know only the older one. */
  max_tokens_field: z.enum(['max_completion_tokens', 'max_tokens']).default('max_completion_tokens'),
  /**
   * How the model that an answer names must relate to the pinned one: the same, the pinned one with a suffix after
   * `-`, `@` or `:` (a dated release), or anything.
   */
  model_echo: z.enum(['exact', 'prefix', 'ignore']).default('exact'),
  /** Takes one leading `<think>` block off before reading. */
  strip_think: z.boolean().default(false),
});

export type ChatParams = z.infer<typeof schema>;

/** @returns the settings in force, or null where one is unknown or out of bounds: a matter of configuration. */
export function chatParams(endpoint: object = {}, policy: object = {}): ChatParams | null {
  const read = schema.safeParse({ ...endpoint, ...policy });
  return read.success ? read.data : null;
}

/** @returns true where the model that an answer names is the pinned one in the agreed sense. */
export function isModel(pinned: string, named: string | null, echo: ChatParams['model_echo']): boolean {
  if (echo === 'ignore' || named === pinned) return true;
  if (echo === 'exact' || named === null || !named.startsWith(pinned)) return false;
  return /^[-@:]/.test(named.slice(pinned.length));
}

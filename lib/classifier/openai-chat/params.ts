import { z } from 'zod';
import { labelMap } from '../label-map.ts';
import { modelEcho } from '../model-echo.ts';

/** Settings of a chat call. The policy's own are pinned with it and win over those of the endpoint. */
const chat = {
  temperature: z.number().min(0).max(2).default(0),
  top_p: z.number().min(0).max(1).optional(),
  seed: z.int().optional(),
  max_tokens: z.int().min(16).max(100_000).default(2_000),
  /** Which field carries max_tokens; some servers know only the older one. */
  max_tokens_field: z.enum(['max_completion_tokens', 'max_tokens']).default('max_completion_tokens'),
  model_echo: modelEcho,
  /** Takes one leading `<think>` block off before reading. */
  strip_think: z.boolean().default(false),
};
const chatSchema = z.strictObject(chat);
const presetSchema = z.strictObject({
  ...chat,
  /** Reads probabilities from the tokens of the first word; where they are asked for they must come. */
  logprobs: z.boolean().optional(),
  /** Which of the guard's categories stand for a label of the policy. */
  labels: labelMap,
  /** Read where a word is made of scores. */
  verdict_rule: z.unknown().optional(),
});

export type ChatParams = z.infer<typeof chatSchema>;
export type PresetParams = z.infer<typeof presetSchema>;

/** @returns the settings in force, or null where one is unknown or out of bounds: a matter of configuration. */
export function chatParams(given: object = {}): ChatParams | null {
  return chatSchema.safeParse(given).data ?? null;
}

/** @returns the settings of a guard-model preset in force, or null. */
export function presetParams(given: object): PresetParams | null {
  return presetSchema.safeParse(given).data ?? null;
}

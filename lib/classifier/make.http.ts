import { ok, type Result, refused } from '../kernel/result.ts';
import { builtin } from './adapters/builtin.fs.ts';
import type { Classifier } from './answer.ts';
import { BUILTIN_NAME, type ClassifierEntry } from './config.ts';
import type { Format } from './format.ts';
import { remoteClassifier } from './http/ask.http.ts';
import { httpJsonFormat } from './http-json/format.ts';
import { openaiChatFormat } from './openai-chat/format.ts';
import { llamaGuardFormat } from './openai-chat/presets/llama-guard.ts';
import { safeguardFormat } from './openai-chat/presets/safeguard.ts';
import { shieldgemmaFormat } from './openai-chat/presets/shieldgemma.ts';
import { openaiModerationFormat } from './openai-moderation/format.ts';
import { textClassificationFormat } from './text-classification/format.ts';

export type MakeRefusal = 'unknown_classifier';

const FORMATS: Record<ClassifierEntry['adapter'], Format> = {
  'openai-chat': openaiChatFormat,
  'openai-moderation': openaiModerationFormat,
  'text-classification': textClassificationFormat,
  'http-json': httpJsonFormat,
};
/** Guard models answer in their own words; they are spoken to over chat completions. */
const PRESETS: Record<NonNullable<ClassifierEntry['preset']>, Format> = {
  'llama-guard': llamaGuardFormat,
  shieldgemma: shieldgemmaFormat,
  safeguard: safeguardFormat,
};

/**
 * Opens a classifier by name.
 * @param name `builtin`, or one of the operator's.
 * @param entries of the classifiers file.
 * @param variable gives an environment variable, for keys.
 * @returns the classifier; the caller closes it.
 */
export function makeClassifier(
  name: string,
  entries: readonly ClassifierEntry[],
  variable: (name: string) => string | undefined,
): Result<Classifier, MakeRefusal> {
  if (name === BUILTIN_NAME) return ok(builtin());
  const entry = entries.find((each) => each.name === name);
  return entry ? ok(openRemote(entry, variable)) : refused('unknown_classifier');
}

/** @returns a classifier of the operator's, in the format of its adapter or preset. */
export function openRemote(entry: ClassifierEntry, variable: (name: string) => string | undefined): Classifier {
  return remoteClassifier(entry, variable, entry.preset ? PRESETS[entry.preset] : FORMATS[entry.adapter]);
}

import { ok, type Result, refused } from '../kernel/result.ts';
import { builtin } from './adapters/builtin.fs.ts';
import { openaiChat } from './adapters/openai-chat.http.ts';
import type { Classifier } from './answer.ts';
import { BUILTIN_NAME, type ClassifierEntry } from './config.ts';

export type MakeRefusal = 'unknown_classifier' | 'adapter_not_built' | 'preset_not_built';

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
  if (!entry) return refused('unknown_classifier');
  if (entry.adapter !== 'openai-chat') return refused('adapter_not_built', { adapter: entry.adapter });
  if (entry.preset !== undefined) return refused('preset_not_built', { preset: entry.preset });
  return ok(openaiChat(entry, variable));
}

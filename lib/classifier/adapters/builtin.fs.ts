import { labelsOf } from '../../policy/schema.ts';
import type { CallResult, Classifier } from '../answer.ts';
import { loadBuiltinModel } from '../builtin/weights.fs.ts';
import { BUILTIN_NAME, CONCURRENCY_DEFAULT, DEADLINE_DEFAULT_MS, mismatch } from '../config.ts';

/**
 * The classifier that is always there: in this process, without a key, the same on every machine. It reads title and
 * text, the title first; it was trained on texts alone, so an author's name or a parent would only disturb it.
 * @throws where the shipped weights are missing or damaged.
 */
export function builtin(): Classifier {
  const { modelId, score } = loadBuiltinModel();
  return {
    name: BUILTIN_NAME,
    adapter: BUILTIN_NAME,
    models: [modelId],
    concurrency: CONCURRENCY_DEFAULT,
    deadlineMs: DEADLINE_DEFAULT_MS,
    close: async () => {},
    classify: async ({ document, input }): Promise<CallResult> => {
      const started = performance.now();
      if (mismatch({ adapter: BUILTIN_NAME, models: [modelId] }, document))
        return { outcome: 'model_mismatch', latencyMs: 0 };
      const read = input.title ? `${input.title}\n${input.text}` : input.text;
      const known = score(read);
      const scores: Record<string, number> = {};
      for (const { name } of labelsOf(document)) {
        const value = Object.hasOwn(known, name) ? known[name] : undefined;
        // The policy asks for something this model never learned: no item can be answered, so the run must stop.
        if (value === undefined) return { outcome: 'config_error', latencyMs: 0 };
        scores[name] = value;
      }
      return {
        outcome: 'ok',
        classification: { scores },
        otherScores: Object.fromEntries(Object.entries(known).filter(([name]) => !Object.hasOwn(scores, name))),
        model: modelId,
        units: Buffer.byteLength(read),
        raw: JSON.stringify(known),
        latencyMs: Math.round(performance.now() - started),
        normalised: [],
        weight: { requestBytes: Buffer.byteLength(read), contentBytes: Buffer.byteLength(read) },
      };
    },
  };
}

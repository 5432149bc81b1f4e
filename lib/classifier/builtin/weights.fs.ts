import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ModelCard, modelCardSchema } from './card.ts';
import { parseModel } from './model.ts';
import { createScorer } from './scorer.ts';

export interface BuiltinModel {
  /** SHA-256 of the weights file in hex: another byte is another model. */
  readonly modelId: string;
  readonly labels: readonly string[];
  /** Calibrated scores in [0, 1], one for each label. */
  readonly score: (text: string) => Record<string, number>;
  readonly card: ModelCard;
}

/** The model id that belongs to the bytes of a weights file. */
export function modelIdOf(file: Uint8Array): string {
  return createHash('sha256').update(file).digest('hex');
}

/**
 * Puts a model together from the bytes of a weights file and of a card.
 *
 * @throws where either is malformed, or the card describes other weights
 */
export function assembleModel(file: Uint8Array, cardJson: string): BuiltinModel {
  const modelId = modelIdOf(file);
  const card = modelCardSchema.parse(JSON.parse(cardJson));
  if (card.modelId !== modelId) throw new Error('model card: describes other weights than the ones beside it');
  const { labels, score } = createScorer(parseModel(file));
  return { modelId, labels, score, card };
}

let loaded: BuiltinModel | undefined;

/**
 * The shipped built-in model, read from the files beside this room's code on first use and kept.
 *
 * @throws where the weights or the card are missing or do not belong together
 */
export function loadBuiltinModel(): BuiltinModel {
  loaded ??= assembleModel(
    readFileSync(new URL('../weights/builtin.bin', import.meta.url)),
    readFileSync(new URL('../weights/model-card.json', import.meta.url), 'utf8'),
  );
  return loaded;
}

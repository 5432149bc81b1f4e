import { readFileSync } from 'node:fs';
import { parseModel } from './model.ts';
import { createTagger, TAG_READING, type Tagger } from './tagger.ts';
import { modelIdOf } from './weights.fs.ts';

export type TagModel = {
  /** SHA-256 of the weights file in hex: another byte is another model. */
  readonly modelId: string;
  readonly tag: Tagger;
};

let loaded: TagModel | undefined;

/**
 * The shipped tags model, read from the file beside this room's code on first use and kept.
 * @throws where the weights are missing or damaged.
 */
export function loadTagModel(): TagModel {
  if (!loaded) {
    const file = readFileSync(new URL('../weights/tags.bin', import.meta.url));
    loaded = { modelId: modelIdOf(file), tag: createTagger(parseModel(file, TAG_READING)) };
  }
  return loaded;
}

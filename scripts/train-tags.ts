/*
 * Trains the tags of the built-in classifier on the tuning part of the shipped documents and writes the weights file
 * and the model id into the shipped document policies.
 *
 *   node --import tsx scripts/train-tags.ts
 *
 * The same documents give the same bytes. The held-out part is not read.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { serialiseModel } from '../lib/classifier/builtin/model.ts';
import { fitTags, type TaggedDocument } from '../lib/classifier/builtin/tag-fit.ts';
import { TAG_READING } from '../lib/classifier/builtin/tagger.ts';
import { modelIdOf } from '../lib/classifier/builtin/weights.fs.ts';

const CORPORA = new URL('../lib/policy/shipped/corpora/', import.meta.url);
const SHIPPED = new URL('../lib/policy/shipped/', import.meta.url);
const WEIGHTS = new URL('../lib/classifier/weights/tags.bin', import.meta.url);
const POLICIES = ['document-type.json', 'care-setting.json', 'retrieval-fit.json'];

/** Sorted by name, since the order of documents decides the bytes. */
function tuningDocuments(): TaggedDocument[] {
  const files = readdirSync(CORPORA).filter((name) => /^documents-.*\.tuning\.ndjson$/.test(name));
  return files.sort().flatMap((name) =>
    readFileSync(new URL(name, CORPORA), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): TaggedDocument => JSON.parse(line)),
  );
}

const documents = tuningDocuments();
const file = serialiseModel(fitTags(documents), TAG_READING);
const modelId = modelIdOf(file);
writeFileSync(WEIGHTS, file);
for (const name of POLICIES) {
  const at = new URL(name, SHIPPED);
  const policy = JSON.parse(readFileSync(at, 'utf8'));
  policy.classifier = { adapter: 'builtin', model: modelId, params: {} };
  writeFileSync(at, `${JSON.stringify(policy, null, 2)}\n`);
}
console.log(`${documents.length} documents, ${file.length} bytes, model ${modelId}`);

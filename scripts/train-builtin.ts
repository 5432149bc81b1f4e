/*
 * Trains the built-in classifier and writes what ships: weights, model card (JSON and page) and, where asked, model and
 * thresholds in a policy document.
 *
 *   node --import tsx scripts/train-builtin.ts DATA_DIR --out DIR [--page FILE] [--policy FILE]
 *
 * DATA_DIR holds the labelled sets as NDJSON. The same files give the same weights.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type ModelCard, modelCardSchema } from '../lib/classifier/builtin/card.ts';
import { renderCard } from '../lib/classifier/builtin/card-text.ts';
import {
  type CorpusRow,
  type LabelledRow,
  mergeDuplicates,
  PERMITTED_SETS,
  parseCorpusLine,
  parseLabelledLine,
  splitRows,
} from '../lib/classifier/builtin/corpus.ts';
import { BUCKET_COUNT, FEATURES_VERSION } from '../lib/classifier/builtin/features.ts';
import { FIT_SETTINGS, fitLabel, vectorsOf } from '../lib/classifier/builtin/fit.ts';
import { BUILTIN_LABELS } from '../lib/classifier/builtin/labels.ts';
import {
  type MeasuredRow,
  measureDisguises,
  measureFunctions,
  measureLabel,
  measureProbes,
  measureVerdicts,
  rounded,
  type Thresholds,
} from '../lib/classifier/builtin/measure.ts';
import { parseModel, quantise, serialiseModel } from '../lib/classifier/builtin/model.ts';
import { createScorer } from '../lib/classifier/builtin/scorer.ts';
import { seedRows } from '../lib/classifier/builtin/seeds/rows.ts';
import { SOURCE_NOTES } from '../lib/classifier/builtin/sources.ts';
import { suggestThresholds } from '../lib/classifier/builtin/thresholds.ts';
import { modelIdOf } from '../lib/classifier/builtin/weights.fs.ts';
import { REPORT_HEADING } from '../lib/quality/shipped-report.ts';

const SPLIT_SEED = 20261130;
const HELD_BACK_SHARE = 0.2;

const TRAINING_FILES = [
  'openai-moderation',
  'davidson-1',
  'davidson-2',
  'edos-1',
  'edos-2',
  'convabuse',
  'surge-toxicity',
  'sms-spam',
  'youtube-spam',
  'spamassassin',
] as const;

/** Reported on, never trained on. */
const FUNCTIONAL_FILE = 'hatecheck';

function readLines<Row>(directory: string, name: string, parse: (line: string) => Row): Row[] {
  const lines = readFileSync(path.join(directory, `${name}.ndjson`), 'utf8').split('\n');
  return lines.flatMap((line, i) => {
    if (line.trim() === '') return [];
    try {
      return [parse(line)];
    } catch (error) {
      throw new Error(`${name}.ndjson, line ${i + 1}: ${error instanceof Error ? error.message : 'unreadable'}`);
    }
  });
}

function trainModel(training: readonly CorpusRow[]): { file: Uint8Array; thresholds: Thresholds } {
  const vectors = vectorsOf(training.map((row) => row.text));
  const fitted = BUILTIN_LABELS.map((label) => {
    const fit = fitLabel(label, training, vectors, FIT_SETTINGS);
    console.log(`fitted ${label}`);
    return fit;
  });
  const thresholds = new Map(fitted.map(({ label, outOfFold }) => [label, suggestThresholds(label, outOfFold)]));
  return { file: serialiseModel(quantise(fitted, BUCKET_COUNT)), thresholds };
}

function measureModel(
  file: Uint8Array,
  thresholds: Thresholds,
  split: ReturnType<typeof splitRows>,
  functional: readonly LabelledRow[],
): ModelCard {
  const scorer = createScorer(parseModel(file));
  const heldBack: MeasuredRow[] = split.heldBack.map((row) => ({ row, scores: scorer.score(row.text) }));
  const card: ModelCard = {
    schema: 'docket.model-card/1',
    modelId: modelIdOf(file),
    features: FEATURES_VERSION,
    weightsBytes: file.length,
    split: {
      seed: SPLIT_SEED,
      share: HELD_BACK_SHARE,
      trainingRows: split.training.length,
      heldBackRows: split.heldBack.length,
      droppedRows: split.droppedCount,
    },
    settings: FIT_SETTINGS,
    sources: PERMITTED_SETS.map((set) => ({
      set,
      ...SOURCE_NOTES[set],
      trainingRows: split.training.filter((row) => row.set === set).length,
      heldBackRows: split.heldBack.filter((row) => row.set === set).length,
    })),
    labels: [...thresholds].map(([label, at]) => measureLabel(label, at, split.training, heldBack)),
    verdicts: measureVerdicts(heldBack, thresholds),
    disguises: measureDisguises(heldBack, scorer, thresholds),
    probes: measureProbes(scorer, thresholds),
    functions: measureFunctions(functional, scorer, thresholds),
  };
  return modelCardSchema.parse({ ...rounded(card), settings: card.settings });
}

/** Sets model and thresholds in a policy document and leaves every other word of it alone. */
function updatePolicy(file: string, card: ModelCard): void {
  const policy = JSON.parse(readFileSync(file, 'utf8'));
  policy.classifier.model = card.modelId;
  for (const rule of policy.rules) {
    const entry = card.labels.find(({ label }) => label === rule.label);
    if (entry === undefined) throw new Error(`policy has a rule for a label the model does not know: ${rule.label}`);
    rule.reviewAt = entry.reviewAt;
    if (entry.restrictAt === null) delete rule.restrictAt;
    else rule.restrictAt = entry.restrictAt;
  }
  for (const label of policy.contract.labels) {
    const entry = card.labels.find((known) => known.label === label.name);
    if (entry?.support === 'low') label.support = 'low';
    else delete label.support;
  }
  writeFileSync(file, `${JSON.stringify(policy, null, 2)}\n`);
}

/** Replaces the part of the page that this script writes; what scripts/report-shipped.ts wrote below it stays. */
function writePage(file: string, card: ModelCard): void {
  const page = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const at = page.indexOf(REPORT_HEADING);
  writeFileSync(file, at < 0 ? renderCard(card) : `${renderCard(card)}\n${page.slice(at)}`);
}

function main(): number {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string' }, page: { type: 'string' }, policy: { type: 'string' } },
  });
  const directory = positionals[0];
  if (directory === undefined || values.out === undefined) {
    console.error('usage: train-builtin.ts DATA_DIR --out DIR [--page FILE] [--policy FILE]');
    return 2;
  }
  const missing = [...TRAINING_FILES, FUNCTIONAL_FILE].filter(
    (name) => !existsSync(path.join(directory, `${name}.ndjson`)),
  );
  if (missing.length > 0) {
    console.error(`missing in DATA_DIR: ${missing.map((name) => `${name}.ndjson`).join(', ')}`);
    return 2;
  }
  const files = TRAINING_FILES.flatMap((name) => readLines(directory, name, parseCorpusLine));
  const split = splitRows(mergeDuplicates([...files, ...seedRows()]), SPLIT_SEED, HELD_BACK_SHARE);
  console.log(`${split.training.length} rows to train on, ${split.heldBack.length} held back`);
  const { file, thresholds } = trainModel(split.training);
  const card = measureModel(file, thresholds, split, readLines(directory, FUNCTIONAL_FILE, parseLabelledLine));

  mkdirSync(values.out, { recursive: true });
  writeFileSync(path.join(values.out, 'builtin.bin'), file);
  writeFileSync(path.join(values.out, 'model-card.json'), `${JSON.stringify(card, null, 2)}\n`);
  if (values.page !== undefined) writePage(values.page, card);
  if (values.policy !== undefined) updatePolicy(values.policy, card);
  console.log(`model ${card.modelId}`);
  return 0;
}

process.exitCode = main();

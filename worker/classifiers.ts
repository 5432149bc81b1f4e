import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Classifier } from '../lib/classifier/answer.ts';
import { type ClassifierEntry, readClassifiers } from '../lib/classifier/config.ts';
import { type MakeRefusal, makeClassifier } from '../lib/classifier/make.http.ts';
import { CliError } from './command.ts';
import type { WorkerEnv } from './env.ts';

/** Faults told at once. */
const FAULTS_TOLD = 20;

/**
 * Reads the operator's classifiers file, the only place that names addresses.
 * @returns its entries; none where no file is named.
 * @throws CliError where the file cannot be read or is not valid, without a value from it.
 */
export async function operatorClassifiers(env: WorkerEnv): Promise<readonly ClassifierEntry[]> {
  if (env.classifiersFile === undefined) return [];
  const text = await readFile(path.resolve(env.cwd, env.classifiersFile), 'utf8').catch(() => {
    throw new CliError('unreadable_classifiers', 'the file that DOCKET_CLASSIFIERS names cannot be read');
  });
  const read = readClassifiers(text.replace(/^\ufeff/, ''));
  if (!read.ok) {
    const told = read.faults.slice(0, FAULTS_TOLD).join('; ');
    throw new CliError(read.refusal, `the classifiers file is not valid: ${told}`);
  }
  return read.value;
}

const REFUSALS: Record<MakeRefusal, string> = {
  unknown_classifier:
    'there is no classifier of this name; builtin is always there, others stand in DOCKET_CLASSIFIERS',
};

/**
 * Opens a classifier by name; the caller closes it.
 * @throws CliError where there is none of this name or its kind is not built.
 */
export function openClassifier(name: string, entries: readonly ClassifierEntry[], env: WorkerEnv): Classifier {
  const made = makeClassifier(name, entries, env.variable);
  if (!made.ok) throw new CliError(made.refusal, REFUSALS[made.refusal]);
  return made.value;
}

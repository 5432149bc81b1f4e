import type { Classifier } from '../classifier/answer.ts';
import type { ImportRow } from '../content/import/row.ts';
import { compareBytes } from '../kernel/text.ts';
import { shippedCorpora, shippedCorpus } from '../policy/corpora.fs.ts';
import { deriveVerdict, PLAIN } from '../policy/derive.ts';
import { readPolicy } from '../policy/document.ts';
import type { PolicyDocument } from '../policy/schema.ts';
import { shippedPolicies } from '../policy/shipped.fs.ts';
import { askAll, callOf } from './ask-all.ts';
import { type AskedRow, evaluate, truthsOf } from './evaluate.ts';
import { releaseBars } from './release.ts';
import type { ShippedEvaluation } from './shipped-report.ts';

/** Which corpora speak for a policy; documents carry the gold of all three facets. */
function corpusName(slug: string, names: readonly string[]): readonly string[] {
  const own = names.filter((name) => name === slug);
  return own.length > 0 ? own : names.filter((name) => name.startsWith('documents-'));
}

/**
 * Asks a classifier about the held-out part of every shipped corpus, under the shipped policies.
 * @returns the policies in the order of their slugs.
 * @throws where a shipped policy cannot be read, or asking stops: both are bugs.
 */
export async function evaluateShipped(classifier: Classifier): Promise<ShippedEvaluation[]> {
  const names = [...new Set((await shippedCorpora()).map(({ name }) => name))];
  const found: ShippedEvaluation[] = [];
  for (const { slug, text } of await shippedPolicies()) {
    const read = readPolicy(text);
    if (!read.ok) throw new Error(`shipped policy ${slug}: ${read.refusal}`);
    const { document } = read.value;
    const corpora = corpusName(slug, names);
    const parts = await Promise.all(corpora.map((name) => shippedCorpus(name, 'held-out')));
    found.push(await evaluateRows(classifier, document, corpora, parts.flat()));
  }
  return found;
}

async function evaluateRows(
  classifier: Classifier,
  document: PolicyDocument,
  corpora: readonly string[],
  rows: readonly ImportRow[],
): Promise<ShippedEvaluation> {
  const known = rows.flatMap((row) => {
    const truths = truthsOf(document, row.gold);
    return truths ? [{ row, truths }] : [];
  });
  const policy = { policyVersion: `${document.policy}@1`, document };
  const { answers, stopped } = await askAll(
    known.map(({ row }) => callOf(row, policy, 0)),
    {
      classifier,
      concurrency: 1,
      secret: 'held-out',
      signal: new AbortController().signal,
      clock: () => performance.now(),
      turn: async () => {},
    },
  );
  if (stopped !== null) throw new Error(`asking for ${document.policy} stopped: ${stopped}`);
  const asked = (stratum: (row: ImportRow) => string): AskedRow[] =>
    known.flatMap(({ row, truths }, at) => {
      const result = answers[at]?.result;
      if (!result) return [];
      const answer = result.outcome === 'ok' ? { classification: result.classification } : { failure: result.outcome };
      return [{ stratum: stratum(row), truths, answer }];
    });
  const bySource = evaluate(
    document,
    asked(({ source }) => source),
  );
  const byLanguage = evaluate(
    document,
    asked(({ language }) => language ?? 'not said'),
  );
  const passing = passingBySource(
    document,
    asked(({ source }) => source),
  );
  return { document, corpora, bySource, byLanguage, passing, bars: releaseBars(document, bySource) };
}

/** How many rows of each segment the answer alone would let pass without a person. */
function passingBySource(document: PolicyDocument, rows: readonly AskedRow[]): ShippedEvaluation['passing'] {
  const passes = ({ answer }: AskedRow): boolean =>
    'classification' in answer && deriveVerdict(document, answer.classification, PLAIN).verdict === 'allow';
  return [...new Set(rows.map(({ stratum }) => stratum))].sort(compareBytes).map((stratum) => {
    const own = rows.filter((row) => row.stratum === stratum);
    return { stratum, rows: own.length, passing: own.filter(passes).length };
  });
}

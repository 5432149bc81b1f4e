import { rateOf } from '../classifier/builtin/evaluator.ts';
import type { Interval } from '../kernel/wilson.ts';
import type { PolicyDocument } from '../policy/schema.ts';
import type { Evaluation, LabelQuality } from './evaluate.ts';
import type { Bar } from './release.ts';

/** The part of the page on the built-in model that says how the shipped policies do on their own corpora. */

/** A shipped policy on the held-out part of its corpus. */
export type ShippedEvaluation = {
  readonly document: PolicyDocument;
  /** Corpora its rows come from. */
  readonly corpora: readonly string[];
  /** Strata are the segments of the corpus. */
  readonly bySource: Evaluation;
  /** Strata are languages. */
  readonly byLanguage: Evaluation;
  /** Of each segment, the rows that the answer alone lets pass without a person. */
  readonly passing: readonly { readonly stratum: string; readonly rows: number; readonly passing: number }[];
  readonly bars: readonly Bar[];
};

/** Stands before the part; what is above it is written when the scores model is trained. */
export const REPORT_HEADING = '# The shipped policies on texts of our own';

/** Fewer rows than this are no rate to be told. */
const TELLING_COUNT = 10;

const INTRODUCTION = `
This part is written by \`scripts/report-shipped.ts\`; do not edit it. A test asks the classifier again and compares.

Five policies ship with Docket, each with texts that were written for it by hand and split in two before anything was
chosen. Thresholds and tags were chosen on the tuning part; every figure below is from the held-out part, which took no
part in that. What such figures can and cannot say:

- **The corpora are small and made by few hands.** Tuning and held-out share their authors, their idea of each class and
  their taste in hard negatives. On your texts it will do worse, or differently. Measure with \`docket evaluate\`.
- **Many of them are hard on purpose.** Hard negatives share their words with the positives, so a share of false alarms
  here is no share of false alarms in a stream of ordinary texts.
- **The scores model was never trained on the forum and comment texts**; the tags were trained on the tuning documents
  only, a few hundred in all, and read other languages by a short list of words.
- **Three things were changed after the held-out figures had been seen.** The words by which a document names its own
  kind were added, chosen from errors on the tuning part; they help the type of a document only. What the patterns for
  scams find leads to a person instead of saying SPAM, and SPAM is said more rarely, as a proposal to hide must be.
- **Positive is a score at or above reviewAt**; for a tag or a word, that very tag or word, each against the rest.
- Intervals are Wilson's, 95 percent. Under ten rows no rate is told. A failure is no answer: it lowers the coverage and
  is in no count.
`;

/** @returns the part as Markdown, with its heading. */
export function renderReport(all: readonly ShippedEvaluation[]): string {
  return [REPORT_HEADING, INTRODUCTION, ...all.map(section)].join('\n');
}

function section({ document, corpora, bySource, byLanguage, passing, bars }: ShippedEvaluation): string {
  const whole = bySource.byLabel.filter(({ stratum }) => stratum === null);
  const note = NOTES[document.policy];
  const answered = `${bySource.asked - bySource.failures} of ${bySource.asked} rows answered`;
  const failures = Object.entries(bySource.failureCodes).map(([code, count]) => `${code} ${count}`);
  return [
    `## ${document.title} (\`${document.policy}\`)`,
    '',
    `Corpus ${corpora.map((name) => `\`${name}\``).join(', ')}; model \`${document.classifier.model.slice(0, 12)}…\`; ${answered}${failures.length > 0 ? ` (${failures.join(', ')})` : ''}.`,
    '',
    ...(note === undefined ? [] : [note, '']),
    ...table(
      ['label', ...HEAD],
      whole.map((each) => [each.label, ...cells(each)]),
    ),
    '',
    ...barLines(bars),
    'What passes without a person, by the answer alone:',
    '',
    ...table(
      ['segment', 'rows', 'pass'],
      passing.map((each) => [each.stratum, String(each.rows), passingRate(each.passing, each.rows)]),
    ),
    '',
    'By segment:',
    '',
    ...strataTable('segment', bySource),
    '',
    'By language, all labels together (a row counts once for each label its gold names):',
    '',
    ...languageTable(byLanguage),
    '',
  ].join('\n');
}

/** What a reader of the figures must know of one policy. */
const NOTES: Readonly<Record<string, string>> = {
  forum: `The built-in model was trained on tweets, chats and messages of other kinds. It misses most of what these posts
say without the words it has learned, above all in other languages, quoted, implied or mild. It keeps the desk going
from the first minute; it does not protect a forum. A policy that pins a better classifier does.`,
  comments: `The word comes from scores that were learned for other things, and from patterns for links, lures and data of
a person. There is no label for manipulation of the moderator: attempts to instruct are found apart (\`instruction\` among
the reasons of a decision) and raise the verdict after the word is given, so the figures here do not show them.`,
  'document-type': `Guidelines, procedures and leaflets share their sentences; what tells them apart is often only for
whom they are written.`,
  'care-setting': `A document that mentions several places is often given to the wrong one, and one that has no setting is
given to a ward.`,
  'retrieval-fit': `Damage and gaps show in the shape of a text, so this works in any language. Data of a person and validity
are found by a few forms and words; a case told without name or date is missed.`,
};

const HEAD = ['true', 'precision', 'recall', 'AUC', 'tp', 'fp', 'fn', 'tn'];

function cells(each: LabelQuality): string[] {
  const { tp, fp, fn, tn, auc } = each;
  const both = tp + fn >= TELLING_COUNT && fp + tn >= TELLING_COUNT;
  return [
    String(tp + fn),
    rate(tp, tp + fp, each.precision, each.precisionInterval),
    rate(tp, tp + fn, each.recall, each.recallInterval),
    auc === null || !both ? '-' : auc.toFixed(3),
    ...[tp, fp, fn, tn].map(String),
  ];
}

function rate(hits: number, count: number, share: number | null, interval: Interval | null): string {
  if (share === null || interval === null) return '-';
  if (count < TELLING_COUNT) return `too few (${hits}/${count})`;
  return `${share.toFixed(2)} (${interval.low.toFixed(2)} to ${interval.high.toFixed(2)})`;
}

function passingRate(passing: number, rows: number): string {
  const { share, interval } = rateOf(passing, rows);
  return `${rate(passing, rows, share, interval)}, ${passing} rows`;
}

/** Lines of labels that a segment is not about, and that nobody gave there, would hide the others. */
function strataTable(name: string, { byLabel }: Evaluation): string[] {
  const parts = byLabel.filter(({ stratum, tp, fp, fn }) => stratum !== null && tp + fp + fn > 0);
  const sorted = [...parts].sort((a, b) => order(a.stratum ?? '', b.stratum ?? ''));
  return table(
    [name, 'label', ...HEAD],
    sorted.map((each) => [each.stratum ?? '', each.label, ...cells(each)]),
  );
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function languageTable({ byLabel }: Evaluation): string[] {
  const languages = [...new Set(byLabel.flatMap(({ stratum }) => (stratum === null ? [] : [stratum])))].sort(order);
  const sum = (all: readonly LabelQuality[], count: 'tp' | 'fp' | 'fn' | 'tn') =>
    all.reduce((total, each) => total + each[count], 0);
  const rows = languages.map((language) => {
    const own = byLabel.filter(({ stratum }) => stratum === language);
    const [tp, fp, fn] = [sum(own, 'tp'), sum(own, 'fp'), sum(own, 'fn')];
    const share = (count: number): string =>
      count < TELLING_COUNT ? `too few (${tp}/${count})` : `${(tp / count).toFixed(2)} (${tp}/${count})`;
    return [language, String(tp + fn), share(tp + fp), share(tp + fn)];
  });
  return table(['language', 'true', 'precision', 'recall'], rows);
}

function barLines(bars: readonly Bar[]): string[] {
  if (bars.length === 0) return [];
  const missed = bars.filter(({ met }) => met === false);
  const open = bars.filter(({ met }) => met === null);
  const named = missed.map(
    ({ metric, label, asked, found }) =>
      `${label === null ? metric : `${metric} of ${label}`} ${found === null ? '-' : Number(found.toFixed(2))} (asked ${asked})`,
  );
  return [
    `Of the ${bars.length} bars the policy sets for itself ${missed.length} are missed${named.length > 0 ? `: ${named.join(', ')}` : ''}${open.length > 0 ? `; ${open.length} cannot be decided` : ''}.`,
    '',
  ];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [
    `| ${head.join(' | ')} |`,
    `|${' --- |'.repeat(head.length)}`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ];
}

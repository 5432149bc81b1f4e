import type { CardLabel, CardStratum, ModelCard } from './card.ts';
import type { Rate } from './evaluator.ts';
import { MIN_POSITIVES_FOR_NORMAL } from './thresholds.ts';

function number(value: number | null): string {
  return value === null ? '-' : value.toFixed(3);
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)}%`;
}

function withInterval({ share, interval, hits, count }: Rate): string {
  if (share === null || interval === null) return '-';
  return `${share.toFixed(2)} (${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}; ${hits}/${count})`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [
    `| ${head.join(' | ')} |`,
    `|${' --- |'.repeat(head.length)}`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ];
}

function summary(card: ModelCard): string[] {
  const rows = card.labels.map(({ label, support, reviewAt, restrictAt, heldBack, training }) => {
    const all = heldBack[0];
    return [
      label,
      support,
      String(training.positives),
      reviewAt.toFixed(2),
      restrictAt === null ? 'none' : restrictAt.toFixed(2),
      all === undefined ? '-' : `${all.positives} of ${all.rows}`,
      number(all?.auc ?? null),
      all === undefined ? '-' : withInterval(all.review.recall),
      all?.restrict ? withInterval(all.restrict.precision) : '-',
      number(all?.calibrationError ?? null),
    ];
  });
  const head = ['label', 'support', 'positives learned from', 'reviewAt', 'restrictAt', 'held-back positives', 'AUC'];
  return table([...head, 'recall at reviewAt', 'precision at restrictAt', 'calibration error'], rows);
}

function stratumRow(item: CardStratum): string[] {
  return [
    item.stratum ?? 'all',
    `${item.positives} of ${item.rows}`,
    number(item.auc),
    number(item.averagePrecision),
    withInterval(item.review.precision),
    withInterval(item.review.recall),
    withInterval(item.review.falseAlarms),
    item.restrict === null ? '-' : withInterval(item.restrict.precision),
    item.restrict === null ? '-' : withInterval(item.restrict.recall),
    number(item.calibrationError),
  ];
}

function labelSection(entry: CardLabel): string[] {
  const { positives, negatives, presumedAbsent } = entry.training;
  const head = ['rows', 'positives', 'AUC', 'AP', 'precision, review', 'recall, review', 'false alarms, review'];
  return [
    `### ${entry.label}`,
    '',
    `Learned from ${positives} positives, ${negatives} negatives and ${presumedAbsent} rows in which it is presumed absent.`,
    '',
    ...table([...head, 'precision, restrict', 'recall, restrict', 'calibration error'], entry.heldBack.map(stratumRow)),
    '',
    'Calibration on the held-back rows:',
    '',
    ...table(
      ['score', 'rows', 'mean score', 'share positive'],
      entry.calibration.map((bin) => [
        `${bin.from.toFixed(1)} to ${bin.to.toFixed(1)}`,
        String(bin.count),
        bin.meanScore.toFixed(2),
        bin.positiveShare.toFixed(2),
      ]),
    ),
    '',
  ];
}

function sources(card: ModelCard): string[] {
  return table(
    ['set', 'what', 'origin', 'licence', 'trained on', 'held back'],
    card.sources.map((source) => [
      source.set,
      source.title,
      source.origin,
      source.licence,
      String(source.trainingRows),
      String(source.heldBackRows),
    ]),
  );
}

const INTRODUCTION = `This page is written by \`scripts/train-builtin.ts\` together with the weights; do not edit it.

The built-in classifier gives eight probabilities to a text. It is a logistic regression over hashed words, word pairs
and character n-grams: it needs no key, no download and no network, and it knows nothing but spelling. It is there so that
Docket works from the first minute and sends a sensible share of texts to people. It is no judge: it
sends and proposes, people decide. Where quality matters a better classifier should stand behind the policy.`;

const MEASURING = `All numbers are from rows that took no part in fitting: neither in training nor in calibration nor in the sums that
set thresholds. They were set aside by a seeded hash before anything was learned: a fifth of each set, near-duplicates together, and of the YouTube
set one whole video. Intervals are Wilson's, 95 percent. A label that is absent from a row's gold is unknown there and
the row is left out for that label.

The held-back rows were not read only once. While the sentences written for this project and the settings of training
changed, they were looked at again and again, and three things were decided with an eye on them: how many false alarms a
label may raise, which sets reviewAt; which rows presumed to be without a label stay as negatives; and from how few
positives on a label counts as thinly supported. No row of them was learned from, yet **the figures are somewhat
optimistic**: rows that nobody had looked at would give lower ones. The numbers hold for texts like these sets; a forum
of another kind will differ. Measure on your own decisions before you trust a threshold.`;

const LIMITS = `- **It reads words, not meaning.** Negation, irony, quotation and counter-speech are scored like the thing itself;
  see the functional test suite below, where hate without slurs is often missed and quoted hate is often flagged.
- **self_harm, threat and violence are thin.** Few public texts carry a licence that allows shipping weights, so part of
  what it knows are sentences written for this project, and the docket-seeds rows measure it on sentences of the same
  hand. Short and indirect statements are missed. These labels are set for recall, propose no restriction and must be
  read by people.
- **harassment and sexual** are learned mostly from what people write to chat bots, which is not how people write to
  each other.
- **hate** is learned mostly from sexism and from American tweets of 2017; other targets are weaker. Speech in African
  American English is over-represented among the tweets labelled toxic, and the model inherits that.
- **English only.** About a third of one small set holds other languages; nothing else does. Elsewhere scores are low
  whatever the text says: a low score on a text in another language means nothing.
- **Long texts dilute.** A text is scored as a whole; one bad sentence in a long one is easily missed.
- **Scores are calibrated for a mixture of these sets.** On a forum with fewer violations the true share behind a score
  is lower.
- **No gold is perfect.** Annotators of different sets drew their lines differently, and the model has learned all of
  them at once.`;

/** The model card as a page for people. */
export function renderCard(card: ModelCard): string {
  const { split } = card;
  const lines = [
    '# Model card: the built-in classifier',
    '',
    INTRODUCTION,
    '',
    `- model id (SHA-256 of the weights file, ${card.weightsBytes} bytes): \`${card.modelId}\``,
    `- reading of texts: \`${card.features}\``,
    `- split: seed ${split.seed}, ${percent(split.share)} held back; ${split.trainingRows} rows to train on, ${split.heldBackRows} held back, ${split.droppedRows} near-duplicates used for neither`,
    '',
    '## Quality on held-back rows',
    '',
    MEASURING,
    '',
    ...summary(card),
    '',
    `\`support: low\` means fewer than ${MIN_POSITIVES_FOR_NORMAL} labelled positives to learn from.`,
    '',
    '## Known failures',
    '',
    LIMITS,
    '',
    'Short sentences, never trained on, but by the same hand as the seeds:',
    '',
    ...table(
      ['label', 'kind', 'sentence', 'score', 'flagged', 'should be'],
      card.probes.map((probe) => [
        probe.label,
        probe.kind,
        probe.text,
        probe.score.toFixed(2),
        probe.flagged ? 'yes' : 'no',
        `${probe.expected ? 'yes' : 'no'}${probe.expected === probe.flagged ? '' : ' (wrong)'}`,
      ]),
    ),
    '',
    '## What the suggested thresholds do',
    '',
    'Over all eight labels together, on held-back rows. The sets are full of violations; a forum is not.',
    '',
    ...table(
      ['rows', 'count', 'allow', 'review', 'restrict'],
      card.verdicts.map(({ source, rows, allow, review, restrict }) => [
        source,
        String(rows),
        ...[allow, review, restrict].map((part) => percent(part / Math.max(1, rows))),
      ]),
    ),
    '',
    '## Data',
    '',
    'The texts themselves are not part of this repository. No share-alike set and no functional test suite was trained on.',
    '',
    ...sources(card),
    '',
    '## By label and set',
    '',
    ...card.labels.flatMap(labelSection),
    '## Disguises',
    '',
    'Recall of toxicity at reviewAt on held-back toxic tweets, written as they are and disguised.',
    '',
    ...table(
      ['disguise', 'recall'],
      card.disguises.map(({ name, recall }) => [name, withInterval(recall)]),
    ),
    '',
    '## Functional test suite',
    '',
    'HateCheck (Röttger et al. 2021, CC BY 4.0), a part of its cases: hate at reviewAt. It was never trained on. A share near one for hateful functions beside a share near zero for the matching harmless ones means that the model reacts to the topic.',
    '',
    ...table(
      ['function', 'hateful', 'right'],
      card.functions.map(({ name, hateful, correct }) => [name, hateful ? 'yes' : 'no', withInterval(correct)]),
    ),
    '',
  ];
  return lines.join('\n');
}

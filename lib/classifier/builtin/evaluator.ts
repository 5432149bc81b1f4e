import { type Interval, wilsonInterval } from '../../kernel/wilson.ts';

/** Measures of a classifier against gold labels. A row whose gold for the label is unknown must not be passed in. */
export interface Scored {
  readonly score: number;
  readonly truth: 0 | 1;
}

/** The chance that a positive row scores above a negative one, a tie counting half; null without both classes. */
export function areaUnderRoc(rows: readonly Scored[]): number | null {
  const sorted = [...rows].sort((a, b) => a.score - b.score);
  let positives = 0;
  let rankSum = 0;
  for (let start = 0; start < sorted.length; ) {
    let end = start;
    let tiedPositives = 0;
    while (end < sorted.length && sorted[end]?.score === sorted[start]?.score) {
      tiedPositives += sorted[end]?.truth ?? 0;
      end += 1;
    }
    rankSum += tiedPositives * ((start + 1 + end) / 2);
    positives += tiedPositives;
    start = end;
  }
  const negatives = sorted.length - positives;
  if (positives === 0 || negatives === 0) return null;
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives);
}

/** Mean precision over the positives in falling order of score, tied scores taken as one step; null without positives. */
export function averagePrecision(rows: readonly Scored[]): number | null {
  const sorted = [...rows].sort((a, b) => b.score - a.score);
  let seen = 0;
  let hits = 0;
  let sum = 0;
  for (let start = 0; start < sorted.length; ) {
    let end = start;
    let tiedPositives = 0;
    while (end < sorted.length && sorted[end]?.score === sorted[start]?.score) {
      tiedPositives += sorted[end]?.truth ?? 0;
      end += 1;
    }
    seen += end - start;
    hits += tiedPositives;
    sum += tiedPositives * (hits / seen);
    start = end;
  }
  return hits === 0 ? null : sum / hits;
}

export interface Confusion {
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
  readonly tn: number;
}

/** Counts at a threshold; a score equal to it is positive, as in the policy rules. */
export function confusionAt(rows: readonly Scored[], threshold: number): Confusion {
  let tp = 0;
  let fp = 0;
  let fn = 0;
  let tn = 0;
  for (const { score, truth } of rows) {
    if (score >= threshold) {
      if (truth === 1) tp += 1;
      else fp += 1;
    } else if (truth === 1) fn += 1;
    else tn += 1;
  }
  return { tp, fp, fn, tn };
}

export interface Rate {
  readonly hits: number;
  readonly count: number;
  readonly share: number | null;
  readonly interval: Interval | null;
}

/** A share with its 95 percent interval; both null where nothing was counted. */
export function rateOf(hits: number, count: number): Rate {
  return { hits, count, share: count === 0 ? null : hits / count, interval: wilsonInterval(hits, count) };
}

export interface ThresholdQuality extends Confusion {
  readonly threshold: number;
  readonly precision: Rate;
  readonly recall: Rate;
  readonly falseAlarms: Rate;
}

/** Precision, recall and the share of negatives that are flagged, at a threshold. */
export function qualityAt(rows: readonly Scored[], threshold: number): ThresholdQuality {
  const counts = confusionAt(rows, threshold);
  return {
    threshold,
    ...counts,
    precision: rateOf(counts.tp, counts.tp + counts.fp),
    recall: rateOf(counts.tp, counts.tp + counts.fn),
    falseAlarms: rateOf(counts.fp, counts.fp + counts.tn),
  };
}

export interface CalibrationBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly meanScore: number;
  readonly positiveShare: number;
}

/** The rows in `binCount` equal bands of score: what was promised beside what was true. Empty bands are left out. */
export function calibrationBins(rows: readonly Scored[], binCount = 10): CalibrationBin[] {
  const bins = Array.from({ length: binCount }, () => ({ count: 0, scores: 0, positives: 0 }));
  for (const { score, truth } of rows) {
    const bin = bins[Math.min(binCount - 1, Math.floor(score * binCount))];
    if (bin === undefined) continue;
    bin.count += 1;
    bin.scores += score;
    bin.positives += truth;
  }
  return bins.flatMap((bin, i) =>
    bin.count === 0
      ? []
      : [
          {
            from: i / binCount,
            to: (i + 1) / binCount,
            count: bin.count,
            meanScore: bin.scores / bin.count,
            positiveShare: bin.positives / bin.count,
          },
        ],
  );
}

/** Expected calibration error: the mean gap between score and truth over ten bands; null without rows. */
export function calibrationError(rows: readonly Scored[]): number | null {
  if (rows.length === 0) return null;
  const gaps = calibrationBins(rows).map((bin) => bin.count * Math.abs(bin.meanScore - bin.positiveShare));
  return gaps.reduce((sum, gap) => sum + gap, 0) / rows.length;
}

import type { WorkerPace } from '../lib/work/pace.db.ts';
import type { RunSignals } from '../lib/work/signals.db.ts';

/** @returns the signals of a run in the names that commands print. */
export function signalsJson(signals: RunSignals, pace: readonly WorkerPace[]): object {
  return {
    items: signals.items,
    attempts: signals.attempts,
    p50_ms: signals.p50Ms,
    p95_ms: signals.p95Ms,
    retry_rate: signals.retryRate,
    invalid_rate: signals.invalidRate,
    review_rate: signals.reviewRate,
    units_per_item: signals.unitsPerItem,
    pace: pace.map(({ slot, atOnce, why }) => ({ slot, at_once: atOnce, why })),
  };
}

/** @returns the same for people, a line each. */
export function signalsText(signals: RunSignals, pace: readonly WorkerPace[]): string[] {
  if (signals.items === 0) return ['nothing has been called yet: there are no signals to go by'];
  return [
    `of the latest ${signals.items} items, in ${signals.attempts} attempts:`,
    `  latency     ${ms(signals.p50Ms)} in the middle, ${ms(signals.p95Ms)} at 95 %`,
    `  retries     ${percent(signals.retryRate)} of attempts`,
    `  invalid     ${percent(signals.invalidRate)} of answers`,
    `  to people   ${percent(signals.reviewRate)} of decisions`,
    `  cost        ${signals.unitsPerItem === null ? 'unknown' : `${signals.unitsPerItem.toFixed(1)} units an item`}`,
    ...pace.map(({ slot, atOnce, why }) => `  worker ${slot}    ${atOnce} at a time now (${why.replaceAll('_', ' ')})`),
  ];
}

function ms(value: number | null): string {
  return value === null ? 'unknown' : `${value} ms`;
}

function percent(share: number | null): string {
  return share === null ? 'unknown share' : `${(share * 100).toFixed(1)} %`;
}

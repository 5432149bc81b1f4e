import type { RunSummary } from '../lib/work/run-summary.db.ts';

/** @returns a run's summary for people, a line each. */
export function runText(summary: RunSummary): string[] {
  const state = summary.pause_reason ? `${summary.state} (${summary.pause_reason})` : summary.state;
  const lines = [
    `run ${summary.name}  ${state}  ${summary.mode} mode  ${summary.policy_version}  ${summary.classifier}`,
    `id ${summary.run}`,
    `${count(summary.revisions, 'revision')} = ${count(summary.decisions, 'decision')} (${summary.deduplicated} deduplicated) + ${count(summary.exceptions, 'exception')} + ${summary.pending} pending`,
  ];
  for (const slice of summary.by) {
    lines.push(
      `  ${slice.source}  ${slice.content_type}: ${slice.allow} allow, ${slice.review} review, ${slice.restrict} restrict, ${slice.exceptions} exceptions, ${slice.pending} pending`,
    );
  }
  for (const { code, count: times } of summary.exceptions_by_code) lines.push(`  exception ${code}: ${times}`);
  lines.push(`${count(summary.attempts, 'attempt')}, ${unitsText(summary)}`);
  for (const { source, why, items, until } of summary.waiting_sources) {
    const reason = why === 'paused' ? 'the source is paused' : `its cap for today is reached, until ${until}`;
    lines.push(`  ${source} waits with ${count(items, 'item')}: ${reason}`);
  }
  return [...lines, ...canaryText(summary)];
}

function unitsText({ units, reserved_units, ceiling_units, overhead_share }: RunSummary): string {
  const parts = [count(units, 'unit')];
  if (reserved_units > 0) parts.push(`${reserved_units} reserved`);
  if (ceiling_units !== null) parts.push(`ceiling ${ceiling_units}`);
  if (overhead_share !== null) parts.push(`instructions and context ${percent(overhead_share)} of what was sent`);
  return parts.join(', ');
}

function canaryText({ canary, projection, state, name, price_per_million_units: price }: RunSummary): string[] {
  if (canary === null || !canary.open) return [];
  const lines = [`canary: ${canary.ended} of ${count(canary.items, 'item')} done; their decisions have no effect yet`];
  if (projection) {
    const { units, low, high, measured, items, overhead_share } = projection;
    lines.push(
      `projected for all ${items} items: ${units} units, 95 % interval ${low} to ${high}, from ${measured} measured`,
    );
    if (overhead_share !== null) lines.push(`  of it instructions and context: ${percent(overhead_share)} of bytes`);
    if (price !== null) {
      lines.push(
        `  at ${price} per million units: ${cost(units, price)}, interval ${cost(low, price)} to ${cost(high, price)}`,
      );
    }
  }
  if (state === 'waiting') lines.push(`waiting for the go: docket run go ${name} [--ceiling UNITS]`);
  return lines;
}

function cost(units: number, pricePerMillion: number): string {
  return ((units * pricePerMillion) / 1_000_000).toFixed(2);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

function count(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`;
}

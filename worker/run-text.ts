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
  lines.push(`${count(summary.attempts, 'attempt')}, ${count(summary.units, 'unit')}`);
  return lines;
}

function count(n: number, word: string): string {
  return `${n} ${word}${n === 1 ? '' : 's'}`;
}

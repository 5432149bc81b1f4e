/*
 * Asks the built-in classifier about the held-out part of every shipped corpus and writes the figures into the page on
 * it, below what scripts/train-builtin.ts writes.
 *
 *   node --import tsx scripts/report-shipped.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { builtin } from '../lib/classifier/adapters/builtin.fs.ts';
import { evaluateShipped } from '../lib/quality/shipped-evaluations.fs.ts';
import { REPORT_HEADING, renderReport } from '../lib/quality/shipped-report.ts';

const PAGE = new URL('../docs/model-card.md', import.meta.url);

async function main(): Promise<void> {
  const [card = ''] = readFileSync(PAGE, 'utf8').split(`\n${REPORT_HEADING}\n`);
  const report = renderReport(await evaluateShipped(builtin()));
  writeFileSync(PAGE, `${card.trimEnd()}\n\n${report}`);
}

void main();

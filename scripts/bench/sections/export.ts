import { rmSync } from 'node:fs';
import path from 'node:path';
import { verifyBundle } from '../../../lib/exports/verify.fs.ts';
import { type Measured, runContender } from '../child.ts';
import { counts, mustBe, withPool } from '../databases.ts';
import { median, rotated } from '../figures.ts';
import type { Bench } from '../plan.ts';
import type { Section } from '../report.ts';
import { COUNT_EXPORTED } from '../statements.sql.ts';
import { drained, LARGE } from '../stock.ts';

/** The export against those who read the same rows and promise less. */
export async function exportSection(bench: Bench): Promise<Section> {
  const { plan, databases } = bench;
  const items = plan.items * LARGE;
  const { name, runId } = await drained(bench, items);
  const out = path.join(plan.work, 'bundles');
  const docket = async (): Promise<Measured> => {
    const url = await databases.copy(name, 'contender');
    await databases.settle();
    const measured = await runContender('export-docket', { url, runId, out });
    mustBe('after the export', await withPool(url, (pool) => counts(pool, COUNT_EXPORTED, [runId])), { items });
    mustBe(
      'the bundle',
      { rows: measured.more?.rows, sound: (await verifyBundle(String(measured.more?.path))).ok },
      { rows: items, sound: true },
    );
    rmSync(out, { recursive: true, force: true });
    return measured;
  };
  const plain = async (way: 'cursor' | 'script'): Promise<Measured> => {
    const url = await databases.copy(name, 'contender');
    await databases.settle();
    const measured = await runContender('export-plain', { url, runId, way, out: path.join(plan.work, 'plain.ndjson') });
    mustBe(way, { rows: measured.more?.rows }, { rows: items });
    return measured;
  };
  const entrants = [
    { who: "Docket's export", run: docket, all: [] as Measured[] },
    { who: 'bare cursor', run: () => plain('cursor'), all: [] as Measured[] },
    { who: 'script with cursor, JSON and SHA-256', run: () => plain('script'), all: [] as Measured[] },
  ];
  for (let round = 0; round < plan.rounds; round++) {
    for (const entrant of rotated(entrants, round)) {
      bench.say(`export, round ${round + 1} of ${plan.rounds}: ${entrant.who}`);
      entrant.all.push(await entrant.run());
    }
  }
  const [ours, cursor, script] = entrants.map(({ all }) => all);
  if (!ours || !cursor || !script) throw new Error('the export was not measured');
  const rates = (all: readonly Measured[]): number[] => all.map(({ ms }) => (items * 1_000) / ms);
  const written = ours.map(({ more }) => (items * 1_000) / Number(more?.writtenMs));
  const reconcileS = ours.map(({ more }) => Number(more?.reconcileMs) / 1_000);
  return {
    name: 'export',
    title: `Export: ${items} decisions`,
    figures: [
      { who: "Docket's export", what: 'counted, written, verified, published', unit: 'rows/s', rounds: rates(ours) },
      { who: "Docket's export", what: 'counted and written', unit: 'rows/s', rounds: written },
      { who: 'bare cursor', what: 'decisions read', unit: 'rows/s', rounds: rates(cursor) },
      { who: 'script', what: 'read with tries, JSON, SHA-256, file', unit: 'rows/s', rounds: rates(script) },
      { who: "Docket's export", what: 'most memory', unit: 'MB', rounds: ours.map(({ peakMb }) => peakMb) },
      { who: "Docket's reconciliation", what: 'of the whole run', unit: 's', rounds: reconcileS },
    ],
    comparisons: [
      {
        what: 'against a script with cursor, JSON and SHA-256',
        value: median(rates(ours)) / median(rates(script)),
        unit: 'x',
        gate: { least: 2 },
      },
      {
        what: 'against a bare cursor',
        value: median(rates(ours)) / median(rates(cursor)),
        unit: 'x',
        gate: { least: 0.9 },
      },
      {
        what: 'counted and written against a bare cursor',
        value: median(written) / median(rates(cursor)),
        unit: 'x',
        gate: null,
      },
      {
        what: 'reconciliation, scaled to a million',
        value: (median(reconcileS) * 1_000_000) / items,
        unit: 's',
        gate: { most: 2 },
      },
    ],
  };
}

import { type Measured, runContender } from '../child.ts';
import { counts, mustBe, withPool } from '../databases.ts';
import { median, rotated } from '../figures.ts';
import type { Bench } from '../plan.ts';
import type { Section } from '../report.ts';
import { COUNT_COPIED, COUNT_IMPORTED } from '../statements.sql.ts';
import { corpusFile, LARGE } from '../stock.ts';

/** Rows of the import whose memory is measured. */
const MEMORY_ROWS = 200_000;

/** The import against a bare COPY of the same rows, and its memory. */
export async function importSection(bench: Bench): Promise<Section> {
  const { plan, databases } = bench;
  const items = plan.items * LARGE;
  const file = await corpusFile(bench, items);
  await databases.make('empty');
  const docket = async (admit: boolean): Promise<Measured> => {
    const url = await databases.copy('empty', 'contender');
    await databases.settle();
    const measured = await runContender('import-docket', { url, file, admit });
    const found = await withPool(url, (pool) => counts(pool, COUNT_IMPORTED));
    mustBe('after the import', found, {
      revisions: items,
      texts: items,
      items,
      members: items,
      work: admit ? items : 0,
    });
    return measured;
  };
  const copy = async (): Promise<Measured> => {
    const url = await databases.copy('empty', 'contender');
    await databases.settle();
    const measured = await runContender('import-copy', { url, file });
    mustBe('after the COPY', await withPool(url, (pool) => counts(pool, COUNT_COPIED)), { items });
    return measured;
  };
  const entrants = [
    { who: "Docket's import and admission to a run", run: () => docket(true), all: [] as Measured[] },
    { who: 'bare COPY with SHA-256 and primary key', run: copy, all: [] as Measured[] },
  ];
  for (let round = 0; round < plan.rounds; round++) {
    for (const entrant of rotated(entrants, round)) {
      bench.say(`import, round ${round + 1} of ${plan.rounds}: ${entrant.who}`);
      entrant.all.push(await entrant.run());
    }
  }
  bench.say(`import: memory of ${MEMORY_ROWS} rows`);
  const large = await memory(bench, MEMORY_ROWS);
  const [ours, theirs] = entrants.map(({ all }) => all);
  if (!ours || !theirs) throw new Error('the import was not measured');
  const rate = (ms: number): number => (items * 1_000) / ms;
  const bare = theirs.map(({ ms }) => rate(ms));
  const of = (name: 'readMs' | 'importedMs') => ours.map(({ more }) => rate(Number(more?.[name])));
  const chain = ours.map(({ ms }) => rate(ms));
  return {
    name: 'import',
    title: `Import: ${items} rows of NDJSON`,
    figures: [
      { who: "Docket's import", what: 'read, judged, hashed and staged', unit: 'rows/s', rounds: of('readMs') },
      { who: "Docket's import", what: 'committed as a snapshot', unit: 'rows/s', rounds: of('importedMs') },
      { who: "Docket's import", what: 'admitted to a run as well', unit: 'rows/s', rounds: chain },
      { who: 'bare COPY', what: 'read, hashed, under a primary key', unit: 'rows/s', rounds: bare },
    ],
    comparisons: [
      {
        what: 'read and staged against bare COPY',
        value: median(of('readMs')) / median(bare),
        unit: '%',
        gate: { least: 0.85 },
      },
      {
        what: 'committed snapshot against bare COPY',
        value: median(of('importedMs')) / median(bare),
        unit: '%',
        gate: null,
      },
      {
        what: 'the full chain to work items against bare COPY',
        value: median(chain) / median(bare),
        unit: '%',
        gate: { least: 0.28 },
      },
      { what: `most memory, ${MEMORY_ROWS} rows`, value: large.peakMb, unit: 'MB', gate: { most: 200 } },
      { what: `most memory, ${items} rows`, value: median(ours.map(({ peakMb }) => peakMb)), unit: 'MB', gate: null },
    ],
  };
}

async function memory(bench: Bench, rows: number): Promise<Measured> {
  const file = await corpusFile(bench, rows);
  const url = await bench.databases.copy('empty', 'contender');
  const measured = await runContender('import-docket', { url, file, admit: false });
  const found = await withPool(url, (pool) => counts(pool, COUNT_IMPORTED));
  mustBe('after the import', found, { revisions: rows, texts: rows, items: rows, members: rows });
  return measured;
}

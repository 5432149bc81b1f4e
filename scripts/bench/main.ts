// The benchmark itself; scripts/bench.mjs gives it a server of its own.
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openDatabases } from './databases.ts';
import type { Bench, Plan } from './plan.ts';
import { type Section, sectionText } from './report.ts';
import { deskSection } from './sections/desk.ts';
import { exportSection } from './sections/export.ts';
import { importSection } from './sections/import.ts';
import { workerSection } from './sections/worker.ts';
import { startStub } from './stub-process.ts';

const SECTIONS: Readonly<Record<string, (bench: Bench) => Promise<Section>>> = {
  worker: workerSection,
  import: importSection,
  export: exportSection,
  desk: deskSection,
};

const GB = 1_024 ** 3;

async function main(plan: Plan): Promise<void> {
  const databases = await openDatabases(process.env.DATABASE_URL ?? '');
  const stub = await startStub();
  const said = process.stderr.isTTY ? (line: string) => `\r\u001b[K${line}` : (line: string) => `${line}\n`;
  const bench: Bench = { plan, databases, stub, say: (line) => process.stderr.write(said(line)) };
  const machine = {
    cpus: os.availableParallelism(),
    memory_gb: Math.round(os.totalmem() / GB),
    node: process.versions.node,
    postgresql: databases.version,
    durable: 'fsync, synchronous_commit and full_page_writes are on',
    rounds: plan.rounds,
    at: new Date().toISOString(),
    load_at_start: os.loadavg()[0],
  };
  const sections: Section[] = [];
  try {
    for (const name of plan.sections) {
      const section = await SECTIONS[name]?.(bench);
      if (!section) throw new Error(`there is no section ${name}`);
      sections.push(section);
      if (process.stderr.isTTY) bench.say('');
      for (const line of sectionText(section)) console.log(line);
    }
  } finally {
    stub.close();
  }
  const load = os.loadavg()[0] ?? 0;
  console.log(
    `${machine.cpus} CPUs, ${machine.memory_gb} GB, Node ${machine.node}, PostgreSQL ${machine.postgresql}, ` +
      `${plan.rounds} rounds, load ${machine.load_at_start?.toFixed(1)} before and ${load.toFixed(1)} after`,
  );
  const result = { machine: { ...machine, load_at_end: load }, items: plan.items, sections };
  writeFileSync(path.join(plan.folder, 'latest.json'), `${JSON.stringify(result, null, 2)}\n`);
}

await main(JSON.parse(process.argv[2] ?? '{}') as Plan);

// `npm run bench`: measures Docket against bounds and peers of the same machine and the same minutes, on a PostgreSQL of
// its own with durable defaults. See docs/benchmarks.md.
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensureInstalled } from './install.mjs';
import { withLock } from './lock.mjs';
import { CHECKOUT_LOCKS, dataDir, shown } from './paths.mjs';
import { runForeground, typescript } from './processes.mjs';

const SECTIONS = ['worker', 'import', 'export', 'desk'];
const BAD_USE = 2;
const USAGE = [
  'npm run bench [-- --only worker|import|export|desk] [--items N] [--rounds N] [--no-peers]',
  '  --only      one part; may be given several times',
  '  --items     items the worker gets (default 20000); the other parts get five times as many',
  '  --rounds    interleaved rounds (default 5)',
  '  --no-peers  without the job queues that are installed apart for the comparison',
].join('\n');

/** @param {string[]} args */
function read(args) {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', multiple: true },
      items: { type: 'string', default: '20000' },
      rounds: { type: 'string', default: '5' },
      'no-peers': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const sections = SECTIONS.filter((section) => !values.only || values.only.includes(section));
  const unknown = values.only?.filter((word) => !SECTIONS.includes(word)) ?? [];
  if (unknown.length > 0) throw new Error(`--only takes ${SECTIONS.join(', ')}; not ${unknown.join(', ')}.`);
  const whole = (/** @type {string} */ name, /** @type {string} */ text, /** @type {number} */ max) => {
    const number = Number(text);
    if (!Number.isInteger(number) || number < 1 || number > max)
      throw new Error(`--${name} takes a whole number from 1 to ${max}, not "${text}".`);
    return number;
  };
  return {
    help: values.help,
    plan: {
      sections,
      items: whole('items', values.items, 1_000_000),
      rounds: whole('rounds', values.rounds, 100),
      peers: !values['no-peers'],
    },
  };
}

/** @param {object} plan */
async function bench(plan) {
  await ensureInstalled();
  const { acquireDatabase } = await import('./embedded-pg.mjs');
  const folder = path.join(dataDir(), 'bench');
  const server = path.join(folder, 'postgres');
  const work = path.join(folder, 'work');
  // Two benchmarks at once would measure each other.
  return withLock(
    path.join(CHECKOUT_LOCKS, 'bench'),
    async () => {
      for (const left of [server, work]) fs.rmSync(left, { recursive: true, force: true });
      fs.mkdirSync(work, { recursive: true });
      // url null: never a database that somebody works with. No settings: PostgreSQL's durable defaults.
      const database = await acquireDatabase({ dir: server, url: null, fixedPort: false });
      try {
        const program = typescript('scripts/bench/main.ts', [JSON.stringify({ ...plan, folder, work })]);
        const env = { ...process.env, DATABASE_URL: database.url, NODE_ENV: 'production' };
        const code = await runForeground(program, env);
        if (code === 0) console.error(`Figures for programs: ${shown(path.join(folder, 'latest.json'))}`);
        return code;
      } finally {
        await database.release();
        for (const left of [server, work]) fs.rmSync(left, { recursive: true, force: true });
      }
    },
    { onWait: () => console.error('Another benchmark is running; waiting for it…') },
  );
}

async function main() {
  const { help, plan } = read(process.argv.slice(2));
  if (!help) return bench(plan);
  console.log(USAGE);
  return 0;
}

process.exitCode = await main().catch((error) => {
  console.error(error.message);
  return BAD_USE;
});

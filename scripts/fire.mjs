// `npm run fire`: kills worker processes and exports at named barriers and audits what they leave. See docs/fire.md.
import { parseArgs } from 'node:util';
import { ensureInstalled } from './install.mjs';
import { runForeground, typescript } from './processes.mjs';

const BAD_USE = 2;
const CREWS = ['2', '4'];
const HITS_MAX = 1000;
const USAGE = [
  'npm run fire [-- --hits N] [--workers 2|4] [--barrier NAME]',
  '  --hits     kills at each barrier (default 20)',
  '  --workers  worker processes side by side; default both, one after the other',
  '  --barrier  one barrier; may be given several times (default all)',
].join('\n');

/** @param {string[]} args @param {readonly string[]} known */
function read(args, known) {
  const { values } = parseArgs({
    args,
    options: {
      hits: { type: 'string', default: '20' },
      workers: { type: 'string', multiple: true, default: CREWS },
      barrier: { type: 'string', multiple: true, default: [...known] },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  const hits = Number(values.hits);
  if (!Number.isInteger(hits) || hits < 1 || hits > HITS_MAX)
    throw new Error(`--hits takes a whole number from 1 to ${HITS_MAX}, not "${values.hits}".`);
  const crew = values.workers.find((word) => !CREWS.includes(word));
  if (crew !== undefined) throw new Error(`--workers takes ${CREWS.join(' or ')}, not "${crew}".`);
  const barrier = values.barrier.find((word) => !known.includes(word));
  if (barrier !== undefined) throw new Error(`--barrier takes ${known.join(', ')}; not "${barrier}".`);
  return { hits, workers: values.workers.map(Number), barriers: values.barrier };
}

async function main() {
  await ensureInstalled();
  const { register } = await import('tsx/esm/api');
  register();
  const { BARRIERS } = await import('../worker/testing/fire/barriers.ts');
  const plan = read(process.argv.slice(2), BARRIERS);
  if (!plan) {
    console.log(USAGE);
    return 0;
  }
  const { acquireTestServer } = await import('./test/server.mjs');
  const server = await acquireTestServer();
  try {
    const { DATABASE_URL: _, ...env } = process.env; // never a database that somebody works with
    return await runForeground(typescript('worker/testing/fire/main.ts', [JSON.stringify(plan)]), {
      ...env,
      DOCKET_TEST_SERVER_URL: server.url,
      DOCKET_TEST_TEMPLATE: server.template,
    });
  } finally {
    await server.release();
  }
}

process.exitCode = await main().catch((error) => {
  console.error(error.message);
  return BAD_USE;
});

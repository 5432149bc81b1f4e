// `npm run oracle`: holds the reader of classifier answers against an independent oracle on a million mutated answers.
// `npm test` does the same with 210,000. A number asks for another count: `npm run oracle -- 5000000`.
import path from 'node:path';
import { ensureInstalled } from './install.mjs';
import { ROOT } from './paths.mjs';
import { runForeground } from './processes.mjs';

const ANSWERS = '1000000';
const BAD_USE = 2;
const FILE = 'lib/classifier/oracle.test.ts';

async function main() {
  const [count = ANSWERS, ...more] = process.argv.slice(2);
  if (!/^[1-9][0-9]{0,9}$/.test(count) || more.length > 0) {
    console.error('npm run oracle [-- COUNT]');
    return BAD_USE;
  }
  await ensureInstalled();
  const env = { ...process.env, DOCKET_ORACLE_RUNS: count };
  return runForeground([path.join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'unit', FILE], env);
}

process.exitCode = await main().catch((error) => {
  console.error(error.message);
  return 1;
});

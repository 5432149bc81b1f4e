// `npm test`: everything. `npm test -- --only unit` (or db, e2e, check) runs a part.
import { parseArgs } from 'node:util';
import { ensureInstalled } from './install.mjs';

const GROUPS = /** @type {const} */ (['check', 'unit', 'db', 'e2e']);
const BAD_USE = 2;

async function main() {
  const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
  const chosen = GROUPS.filter((group) => !values.only || values.only.includes(group));
  const unknown = values.only?.filter((word) => !GROUPS.some((group) => group === word)) ?? [];
  if (unknown.length > 0) {
    console.error(`--only takes ${GROUPS.join(', ')}; not ${unknown.join(', ')}.`);
    return BAD_USE;
  }
  await ensureInstalled();
  const { runSteps } = await import('./checks.mjs');
  return runSteps(chosen);
}

process.exitCode = await main().catch((error) => {
  console.error(error.message);
  console.log('0 passed, 1 failed'); // the last line is for programs, also when nothing could run
  return 1;
});

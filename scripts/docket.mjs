// `npm run docket -- COMMAND`: installs what is missing, gets the database, runs the command (worker/cli.ts).
import { ensureInstalled } from './install.mjs';
import { runForeground, typescript } from './processes.mjs';

const BAD_USE = 2;
const args = process.argv.slice(2);
const json = args.includes('--json');
const command = args.find((arg) => !arg.startsWith('-'));
const asksForHelp = !command || command === 'help' || args.includes('--help') || args.includes('-h');
/** `verify` reads a folder and trusts nothing else, `stub` only answers, and a check needs a database for a policy. */
const standsAlone =
  command === 'verify' ||
  command === 'stub' ||
  (command === 'classifier' && !args.some((arg) => /^--policy/.test(arg)));
const needsDatabase = !asksForHelp && !standsAlone;

// npm runs us in the checkout's root; a FILE or DIR argument is meant from where the person stands.
const env = { ...process.env, DOCKET_CWD: process.env.INIT_CWD ?? process.cwd() };

/** @param {any} error @returns {number} */
function refuse(error) {
  const message = error.message || String(error);
  if (json) console.log(JSON.stringify({ error: { code: error.code ?? 'not_started', message } }));
  else console.error(message);
  return BAD_USE;
}

async function main() {
  await ensureInstalled({ omitDev: true });
  if (!needsDatabase) return runForeground(typescript('worker/cli.ts', args), env);
  const { acquireReadyDatabase } = await import('./database.mjs');
  const database = await acquireReadyDatabase((line) => console.error(line));
  if (database.prepared) env.DOCKET_PREPARE = '1';
  try {
    return await runForeground(typescript('worker/cli.ts', args), { ...env, DATABASE_URL: database.url });
  } finally {
    await database.release();
  }
}

process.exitCode = await main().catch(refuse);

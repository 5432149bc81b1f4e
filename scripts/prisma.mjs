// Prisma's own CLI, as `npm run prisma -- ARGS`. Where its native schema engine is not there (it is downloaded from a
// host that many networks do not reach), the WebAssembly build of the same engine from npm stands in; without
// DATABASE_URL the commands that need a database get the embedded one.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ensureInstalled, rememberClient } from './install.mjs';
import { ROOT } from './paths.mjs';

const require = createRequire(import.meta.url);
const args = process.argv.slice(2);
/** npm runs us in the middle of an install, and ensureInstalled() in the middle of its own work. */
const nested = process.env.npm_lifecycle_event === 'postinstall' || process.env.DOCKET_INSTALLING === '1';

/** @param {string} name @returns {string | null} the folder of an installed package */
function packageDir(name) {
  try {
    return path.dirname(require.resolve(`${name}/package.json`));
  } catch {
    return null;
  }
}

function engineEnv() {
  if (process.env.PRISMA_SCHEMA_ENGINE_BINARY) return {};
  const engines = packageDir('@prisma/engines');
  const native = engines && readdirSync(engines).some((file) => file.startsWith('schema-engine-'));
  // Windows cannot execute a script by its #! line; there Prisma downloads its own.
  if (native || process.platform === 'win32') return {};
  return { PRISMA_SCHEMA_ENGINE_BINARY: path.join(ROOT, 'scripts', 'schema-engine.mjs') };
}

const asksForHelp = args.some((arg) => ['-h', '--help', '-v', '--version'].includes(arg));
const needsDatabase = ['migrate', 'db', 'studio'].includes(args[0] ?? '') && args.length > 1 && !asksForHelp;

/** @param {string} cli @param {NodeJS.ProcessEnv} env @returns {Promise<number>} */
function run(cli, env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [cli, ...args], { stdio: 'inherit', env, cwd: ROOT });
    const forward = () => child.kill('SIGTERM');
    process.on('SIGINT', () => {}).on('SIGTERM', forward); // Ctrl-C reaches the whole group; wait for the child
    child.on('error', () => resolve(1)).on('exit', (code) => resolve(code ?? 1));
  });
}

if (!nested) await ensureInstalled();
const home = packageDir('prisma');
if (!home) {
  const message = "Prisma's CLI is a development package and is not installed; the client was not generated.";
  console.error(nested ? message : `${message} Run: npm install --include=dev`);
  process.exit(nested ? 0 : 1); // an installation for production brings the generated client along
}
if (nested && !existsSync(path.join(ROOT, 'prisma', 'schema.prisma'))) process.exit(0);

const env = { CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1', ...process.env, ...engineEnv() };
let database;
if (needsDatabase && !process.env.DATABASE_URL) {
  const { acquireDatabase } = await import('./embedded-pg.mjs');
  database = await acquireDatabase({ log: console.error });
  env.DATABASE_URL = database.url;
}
const code = await run(path.join(home, 'build', 'index.js'), env);
if (code === 0 && args.length === 1 && args[0] === 'generate') rememberClient();
await database?.release();
process.exit(code);

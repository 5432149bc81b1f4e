// The parts of a running desk (database, seed, web, worker) that demo, dev and the end-to-end server put together.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataDir, ROOT } from './paths.mjs';
import { isPortFree } from './ports.mjs';
import { typescript } from './processes.mjs';
import { NEXT_ENV, nextCommand } from './web-build.mjs';

const DEFAULT_PORT = 3000;
const ANSWER_TIMEOUT_MS = 120_000;
const ASK_TIMEOUT_MS = 10_000;
const POLL_MS = 100;

/**
 * The port that was asked for, if it can be had. Throws, with what to do, otherwise.
 * @returns {Promise<number>}
 */
export async function wantedPort() {
  const text = process.env.PORT || String(DEFAULT_PORT);
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new Error(`PORT must be a port number, not "${text}".`);
  if (await isPortFree(port)) return port;
  const again = `PORT=${port + 1} npm run ${process.env.npm_lifecycle_event ?? 'demo'}`;
  throw new Error(`Port ${port} is taken by another program. Choose another, for example: ${again}`);
}

/** The key that signs sessions: made once and kept, so that people stay signed in over a restart. */
export function webSecret() {
  if (process.env.NEXTAUTH_SECRET) return process.env.NEXTAUTH_SECRET;
  const file = path.join(dataDir(), 'nextauth-secret');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  fs.writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
  try {
    fs.linkSync(draft, file); // of two first starts one wins, and both read the same key
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  } finally {
    fs.rmSync(draft);
  }
  return fs.readFileSync(file, 'utf8').trim();
}

/**
 * What web, worker and seed of a demo are told.
 * @param {{ url: string, port: number, mode: 'start' | 'dev', prepared: boolean }} desk
 * @returns {NodeJS.ProcessEnv}
 */
export const deskEnv = ({ url, port, mode, prepared }) => ({
  ...process.env,
  ...NEXT_ENV,
  NODE_ENV: mode === 'dev' ? 'development' : 'production',
  DATABASE_URL: url,
  DOCKET_DATA_DIR: dataDir(),
  DOCKET_DEMO: '1',
  ...(prepared ? { DOCKET_PREPARE: '1' } : {}),
  PORT: String(port),
  // By name, not by number: Next.js rewrites 127.0.0.1 to localhost in redirects, and cookies would not follow.
  NEXTAUTH_URL: process.env.NEXTAUTH_URL ?? `http://localhost:${port}`,
  NEXTAUTH_SECRET: webSecret(),
});

/**
 * @param {import('./stage.mjs').Stage} stage
 * @param {NodeJS.ProcessEnv} env
 */
export async function seed(stage, env) {
  if (fs.existsSync(path.join(ROOT, 'prisma', 'seed.ts')))
    await stage.step('seed', typescript('prisma/seed.ts'), { env });
}

/**
 * Starts web and worker. @param {import('./stage.mjs').Stage} stage
 * @param {{ env: NodeJS.ProcessEnv, mode: 'start' | 'dev', logs?: string }} options logs: a folder; else to the terminal
 */
export function startDesk(stage, { env, mode, logs }) {
  const log = (/** @type {string} */ name) => (logs ? path.join(logs, `${name}.log`) : undefined);
  const address = ['-p', env.PORT ?? '', '-H', process.env.HOST ?? '127.0.0.1'];
  stage.service('web', [nextCommand(), mode, ...address], { env, log: log('web') });
  stage.service('worker', typescript('worker/main.ts'), { env, log: log('worker') });
}

/** @param {number} port @param {string} route */
const ask = (port, route) =>
  fetch(`http://127.0.0.1:${port}${route}`, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS), redirect: 'manual' }).then(
    ({ status }) => status,
    () => 0,
  );

/**
 * Waits until the web application answers. Throws when it does not in time; returns early during a stop.
 * @param {import('./stage.mjs').Stage} stage @param {number} port
 */
export async function untilItAnswers(stage, port) {
  const until = Date.now() + ANSWER_TIMEOUT_MS;
  while (!stage.isStopping()) {
    let status = await ask(port, '/healthz');
    if (status === 404) status = await ask(port, '/readyz');
    if (status === 200) return;
    if (Date.now() > until) throw new Error(`The web application does not answer (last answer: ${status || 'none'}).`);
    await sleep(POLL_MS);
  }
}

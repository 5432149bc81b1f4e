// What demo and dev have in common: everything from a fresh clone to an address that answers.
import path from 'node:path';
import { deskEnv, seed, startDesk, untilItAnswers, wantedPort } from './desk.mjs';
import { ensureInstalled } from './install.mjs';
import { endLeftovers } from './leftovers.mjs';
import { dataDir } from './paths.mjs';
import { createStage } from './stage.mjs';
import { ensureBuilt } from './web-build.mjs';

const BAD_USE = 2;

/** @param {string} line */
const say = (line) => console.error(line);

/**
 * @param {'start' | 'dev'} mode start: the built application, its words in log files; dev: Next's development server
 * @param {(at: { port: number, logs: string }) => void} announce called when the address answers
 */
export async function runDesk(mode, announce) {
  const stage = createStage();
  let code = BAD_USE;
  try {
    for (const name of await endLeftovers()) say(`Ended the ${name} that a killed start had left behind.`);
    const port = await wantedPort();
    await ensureInstalled();
    code = 1;
    if (mode === 'start')
      await ensureBuilt((args, env) => stage.step('build', args, { env, quiet: true }), { log: say });
    const { acquireReadyDatabase } = await import('./database.mjs'); // needs what was just installed
    const database = await acquireReadyDatabase(say);
    stage.onEnd(database.release);
    const env = deskEnv({ url: database.url, port, mode, prepared: database.prepared });
    await seed(stage, env);
    const logs = path.join(dataDir(), 'logs');
    startDesk(stage, { env, mode, logs: mode === 'start' ? logs : undefined });
    await untilItAnswers(stage, port);
    if (!stage.isStopping()) announce({ port, logs });
  } catch (error) {
    if (!stage.isStopping()) say(error.message);
    await stage.stop(code);
  }
}

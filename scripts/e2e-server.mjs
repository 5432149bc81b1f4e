// What the end-to-end tests run against: the built application, a worker and a fresh seeded database of their own, on the
// port E2E_PORT. SIGTERM ends all of it. The folder E2E_DATA_DIR gets `database-url`, for tests that look behind the page,
// and `logs/`.
import fs from 'node:fs';
import path from 'node:path';
import { deskEnv, seed, startDesk, untilItAnswers } from './desk.mjs';
import { endLeftovers } from './leftovers.mjs';
import { createStage } from './stage.mjs';
import { acquireTestServer, createTestDatabase } from './test/server.mjs';
import { ensureBuilt } from './web-build.mjs';

const port = Number(process.env.E2E_PORT);
const home = path.resolve(process.env.E2E_DATA_DIR ?? '');
process.env.DOCKET_DATA_DIR = home;
delete process.env.NEXTAUTH_URL; // a developer's own settings do not reach the tests
delete process.env.NEXTAUTH_SECRET;

const stage = createStage();
// A killed Playwright cannot send a signal, but its end of this pipe closes.
if (process.env.E2E_ENDS_WITH_INPUT) process.stdin.resume().on('end', () => stage.stop(0));

try {
  await endLeftovers();
  await ensureBuilt((args, env) => stage.step('build', args, { env, quiet: true }), {
    log: (line) => console.error(line),
  });
  const server = await acquireTestServer();
  stage.onEnd(server.release);
  const database = await createTestDatabase(server, 'e2e');
  stage.onEnd(database.drop);
  fs.mkdirSync(home, { recursive: true });
  fs.writeFileSync(path.join(home, 'database-url'), database.url, { mode: 0o600 });
  const env = deskEnv({ url: database.url, port, mode: 'start', prepared: true });
  await seed(stage, env);
  startDesk(stage, { env, mode: 'start', logs: path.join(home, 'logs') });
  await untilItAnswers(stage, port);
} catch (error) {
  if (!stage.isStopping()) console.error(error.message);
  await stage.stop(1);
}

// `npm run worker`: the worker alone. SIGTERM and Ctrl-C let it drain.
import { ensureInstalled } from './install.mjs';
import { runForeground, typescript } from './processes.mjs';

async function main() {
  await ensureInstalled({ omitDev: true });
  const { acquireReadyDatabase } = await import('./database.mjs');
  const database = await acquireReadyDatabase((line) => console.error(line));
  const prepare = database.prepared ? { DOCKET_PREPARE: '1' } : {};
  try {
    return await runForeground(typescript('worker/main.ts'), {
      ...process.env,
      ...prepare,
      DATABASE_URL: database.url,
    });
  } finally {
    await database.release();
  }
}

process.exitCode = await main().catch((error) => {
  console.error(error.message);
  return 2;
});

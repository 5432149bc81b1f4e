// A process that uses the embedded database, for tests of sharing it: `node pg-user.mjs DIR [rounds]`.
// Without rounds it joins, prints the server's pid and stays until its input ends. With rounds it joins, asks something
// and leaves so many times, and fails if the server is ever not there.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { acquireDatabase } from '../embedded-pg.mjs';
import { findServer } from '../pg-server.mjs';

const [dir = '', rounds] = process.argv.slice(2);

/** @param {string} url */
async function ask(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('SELECT pg_sleep(0.005)');
  await client.end();
}

if (rounds === undefined) {
  const database = await acquireDatabase({ dir, url: null, fixedPort: false, settings: { fsync: 'off' } });
  await ask(database.url);
  console.log(JSON.stringify({ pid: findServer(dir)?.pid, url: database.url }));
  process.stdin.resume().on('end', async () => {
    await database.release();
    process.exit(0);
  });
} else {
  for (let round = 0; round < Number(rounds); round++) {
    const database = await acquireDatabase({ dir, url: null, fixedPort: false, settings: { fsync: 'off' } });
    await ask(database.url);
    await database.release();
    await sleep((process.pid * 7 + round * 13) % 30); // out of step with the others, without chance
  }
}

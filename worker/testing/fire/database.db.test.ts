import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPool } from '../../../lib/db/pool.db.ts';
import { type TestDatabase, testDatabase } from '../../../lib/db/testing.db.ts';
import { views } from '../../../lib/work/testing/corpus.db.ts';
import { migrateDeploy } from '../../../scripts/migrate-deploy.mjs';
import { findServer, startServer, stopServer } from '../../../scripts/pg-server.mjs';
import { audit } from './books.db.ts';
import { type Crew, makeCrew } from './crew.db.ts';
import { nameOf, until } from './gates.db.ts';
import { END_CONNECTIONS } from './gates.sql.ts';
import { makeScene, mixed, type Scene } from './scene.db.ts';

const SETTINGS = { fsync: 'off' };
/** Items of a load: enough that the database goes away in the middle of it. */
const LOAD_COUNT = 400;

/** Resolves when so many items of a run have ended; meanwhile calls are made and committed. */
const progress = (scene: Scene, runId: string, count: number) =>
  until('progress', async () => {
    const items = await views(scene.database.pool).items(runId);
    return items.filter((item) => item.state === 'classified').length >= count || undefined;
  });

describe('the database is restarted under load', () => {
  let base: string;
  let scene: Scene;
  let crew: Crew;
  beforeEach(async () => {
    base = mkdtempSync(path.join(os.tmpdir(), 'docket fire pg '));
    chmodSync(base, 0o755); // another user runs the server where the tests run as root
    scene = await makeScene(await ownServer(path.join(base, 'pg')));
    crew = makeCrew(scene, 2);
  });
  afterEach(async () => {
    crew.abandon();
    await scene.close();
    rmSync(base, { recursive: true, force: true });
  });

  /** A server that nobody else uses, so that it can be stopped. */
  async function ownServer(dir: string): Promise<TestDatabase> {
    const { url } = await startServer(dir, { settings: SETTINGS });
    await migrateDeploy({ url });
    const pool = openPool(url, { max: 30, applicationName: 'docket test' });
    return {
      pool,
      url,
      close: async () => {
        await pool.end();
        await stopServer(dir);
      },
    };
  }

  test.each([
    ['in order', 'SIGINT'],
    ['by a crash, from which it recovers', 'SIGQUIT'],
  ] as const)('%s: the same workers go on by themselves, and nothing is lost or doubled', async (_how, signal) => {
    const dir = path.join(base, 'pg');
    await crew.fill();
    const [run] = await scene.start(mixed(LOAD_COUNT));
    if (!run) throw new Error('no run');
    const server = findServer(dir);
    if (!server) throw new Error('no server');
    const before = crew.numbers();
    await progress(scene, run.id, LOAD_COUNT / 8);
    process.kill(server.pid, signal);
    await until('the end of the server', async () => findServer(dir) === null || undefined);
    await startServer(dir, { settings: SETTINGS, port: server.port });
    await scene.finish();
    expect(crew.numbers()).toEqual(before);
    await crew.stop();
    expect(await audit(scene.database.pool)).toEqual([]);
  });
});

describe('the database has no connection to give', () => {
  const ROLE = `docket_fire_${process.pid}`;
  let database: TestDatabase;
  let scene: Scene;
  let crew: Crew;
  beforeEach(async () => {
    database = await testDatabase({ max: 30 });
    scene = await makeScene(database);
    crew = makeCrew(scene, 1);
    await database.pool.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD 'fire'`);
    await database.pool.query(`GRANT ALL ON ALL TABLES IN SCHEMA public TO ${ROLE}`);
  });
  afterEach(async () => {
    crew.abandon();
    await database.pool.query(`DROP OWNED BY ${ROLE}`);
    await database.pool.query(`DROP ROLE ${ROLE}`);
    await scene.close();
  });

  test('a worker waits while others hold every connection it may have, and goes on when one is free', async () => {
    const address = new URL(database.url);
    address.username = ROLE;
    address.password = 'fire';
    const taken = address.href;
    address.searchParams.set('application_name', nameOf(scene.number() + 1));
    const worker = await crew.hire({ DATABASE_URL: address.href });
    const [run] = await scene.start(mixed(60));
    if (!run) throw new Error('no run');
    await progress(scene, run.id, 5);

    const others = [new pg.Client({ connectionString: taken }), new pg.Client({ connectionString: taken })];
    for (const other of others) await other.connect();
    await database.pool.query(`ALTER ROLE ${ROLE} CONNECTION LIMIT ${others.length}`);
    await database.pool.query(END_CONNECTIONS, [[nameOf(worker.number)]]);
    const [more] = await scene.start(mixed(60));
    await until('a worker that looks in vain', async () => worker.process.events.includes('look_failed') || undefined);
    expect((await views(database.pool).items(more?.id ?? '')).every((item) => item.state === 'pending')).toBe(true);

    for (const other of others) await other.end();
    await scene.finish();
    await crew.stop();
    expect(await audit(database.pool)).toEqual([]);
  });
});

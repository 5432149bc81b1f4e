// Before the database tests: a server with a migrated template. lib/db/testing.db.ts copies it for each test file.
import { acquireTestServer } from './server.mjs';

export default async function setup() {
  delete process.env.DATABASE_URL; // no test may ever reach the database that a developer works with
  const server = await acquireTestServer();
  process.env.DOCKET_TEST_SERVER_URL = server.url;
  process.env.DOCKET_TEST_TEMPLATE = server.template;
  return server.release;
}

/**
 * Seeds the demo: five accounts, the shipped policies, and a small corpus of our own as snapshot and run `demo`. It may
 * run again at any time and adds nothing then. It refuses to run outside of the demo: its passwords are no secret.
 */
import path from 'node:path';
import type { Role } from '../lib/access/roles.ts';
import { createUser, userByEmail } from '../lib/access/users.db.ts';
import { loadBuiltinModel } from '../lib/classifier/builtin/weights.fs.ts';
import { importFiles } from '../lib/content/import/import-files.db.ts';
import { openPool, type Pool } from '../lib/db/pool.db.ts';
import { publishShipped } from '../lib/policy/publish.db.ts';
import { findRun } from '../lib/work/runs.db.ts';
import { startRun } from '../lib/work/start-run.db.ts';

const NAME = 'demo';
const PASSWORD = 'docket-demo';
const CONCURRENCY = 8;

const PEOPLE: readonly { email: string; name: string; role: Role }[] = [
  { email: 'reviewer@docket.example', name: 'Robin Reviewer', role: 'reviewer' },
  { email: 'reviewer2@docket.example', name: 'Sascha Second', role: 'reviewer' },
  { email: 'moderator@docket.example', name: 'Mika Moderator', role: 'moderator' },
  { email: 'manager@docket.example', name: 'Toni Manager', role: 'manager' },
  { email: 'owner@docket.example', name: 'Olu Owner', role: 'owner' },
];

async function seedPeople(pool: Pool): Promise<void> {
  for (const person of PEOPLE) {
    // Looked for first: a hash costs half a second of a core.
    if (await userByEmail(pool, person.email)) continue;
    const made = await createUser(pool, { ...person, password: PASSWORD, actor: 'cli' });
    if (!made.ok && made.refusal !== 'email_taken') throw new Error(`demo account: ${made.refusal}`);
  }
}

async function seedRun(pool: Pool): Promise<void> {
  const policies = await publishShipped(pool);
  if (await findRun(pool, NAME)) return;
  const policy = policies.find((one) => one.policyVersion.startsWith('forum@'));
  if (!policy) throw new Error('the policy "forum" is not shipped');
  const file = path.join(import.meta.dirname, 'demo', 'corpus.ndjson');
  const imported = await importFiles(pool, {
    files: [{ path: file, name: 'corpus.ndjson' }],
    snapshotName: NAME,
    actor: 'cli',
  });
  if (!imported.ok) throw new Error(`demo corpus: ${imported.refusal}`);
  const started = await startRun(pool, {
    snapshot: NAME,
    policyVersion: policy.policyVersion,
    name: NAME,
    mode: 'hold',
    classifier: { name: 'builtin', adapter: 'builtin', models: [loadBuiltinModel().modelId] },
    concurrency: CONCURRENCY,
    actor: 'cli',
  });
  if (!started.ok) throw new Error(`demo run: ${started.refusal}`);
}

async function seed(): Promise<number> {
  const url = process.env.DATABASE_URL;
  if (process.env.DOCKET_DEMO !== '1' || !url) {
    console.error('The seed is for the demo only: it needs DOCKET_DEMO=1 and DATABASE_URL. Nothing was changed.');
    return 2;
  }
  const pool = openPool(url, { max: 2, applicationName: 'docket seed' });
  try {
    await seedPeople(pool);
    await seedRun(pool);
    return 0;
  } finally {
    await pool.end();
  }
}

process.exitCode = await seed();

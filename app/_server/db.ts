import 'server-only';
import { openPool, type Pool } from '@/lib/db/pool.db.ts';
import { webEnv } from './env.ts';

/** Connections of the web process; the worker and the command line have their own. */
const POOL_MAX = 10;

// The development server evaluates modules anew after every edit; a pool on the global object survives that.
const kept = globalThis as typeof globalThis & { docketPool?: Pool };

/** The pool of this process, opened on first use. */
export function db(): Pool {
  kept.docketPool ??= openPool(webEnv().databaseUrl, { max: POOL_MAX, applicationName: 'docket web' });
  return kept.docketPool;
}

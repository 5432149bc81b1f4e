import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const COMMIT = /^[0-9a-f]{7,64}$/;

/**
 * @param named the commit as the build says it, which comes first.
 * @returns the commit this Docket was made from, or null where nobody knows.
 */
export async function docketCommit(named: string | undefined): Promise<string | null> {
  if (named !== undefined) return COMMIT.test(named) ? named : null;
  try {
    const { stdout } = await run('git', ['rev-parse', 'HEAD'], { cwd: path.join(import.meta.dirname, '..') });
    return COMMIT.test(stdout.trim()) ? stdout.trim() : null;
  } catch {
    return null; // no git, or no checkout
  }
}

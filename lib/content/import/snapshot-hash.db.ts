import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { to } from 'pg-copy-streams';
import { snapshotLineBytes } from './copy-text.ts';
import { COPY_MEMBERS } from './merge.sql.ts';

/**
 * Step: hashes the members of the import at hand as they stream by, in bytewise order.
 * @returns SHA-256 hex over the lines `content_id\0revision\0input_sha256\n`.
 */
export async function hashMembers(client: PoolClient): Promise<string> {
  const hash = createHash('sha256');
  const bytesOf = snapshotLineBytes();
  for await (const chunk of client.query(to(COPY_MEMBERS)) as AsyncIterable<Buffer>) hash.update(bytesOf(chunk));
  return hash.digest('hex');
}

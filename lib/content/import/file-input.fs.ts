import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { ok, type Result, refused } from '../../kernel/result.ts';
import type { ImportInput } from './input-rows.ts';

/** Bytes read from disk at a time. */
const READ_BYTES = 65_536;

/**
 * Makes a file ready to be imported; it is opened when it is read.
 * @param name what the user called it, for messages.
 * @returns the input, or `no_such_file`, `not_a_file` or `not_readable`.
 */
export async function fileInput(
  path: string,
  name: string,
): Promise<Result<ImportInput, 'no_such_file' | 'not_a_file' | 'not_readable'>> {
  const found = await stat(path).catch(() => null);
  if (!found) return refused('no_such_file');
  if (found.isDirectory()) return refused('not_a_file');
  const readable = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
  if (!readable) return refused('not_readable');
  return ok({
    name,
    sizeBytes: found.isFile() ? found.size : null,
    bytes: () => createReadStream(path, { highWaterMark: READ_BYTES }),
  });
}

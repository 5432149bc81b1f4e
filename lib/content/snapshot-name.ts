import { isLine } from '../kernel/text.ts';
import { looksLikeId } from '../kernel/uuid.ts';

/** Bytes of a snapshot's name at most. */
export const SNAPSHOT_NAME_MAX_BYTES = 200;

/** @returns true for a name that a snapshot may bear: 1 to 200 bytes, no control character, not the form of an id. */
export function isSnapshotName(name: string): boolean {
  return isLine(name, SNAPSHOT_NAME_MAX_BYTES) && !looksLikeId(name);
}

/**
 * The name of a snapshot that was given none: what the first file is called, and the beginning of the content's hash,
 * so that the same content from the same file gets the same name again.
 * @param fileName as given; folders and the last ending are dropped.
 */
export function defaultSnapshotName(fileName: string, sha256: string): string {
  const base = fileName.split(/[\\/]/).pop() ?? '';
  const stem = base
    .replace(/\.[A-Za-z0-9]{1,8}$/, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, 80);
  return `${stem === '' ? 'import' : stem}-${sha256.slice(0, 8)}`;
}

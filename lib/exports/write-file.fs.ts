import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { FileFacts } from './read-file.fs.ts';

const compress = promisify(gzip);

/** Text is gathered to blocks of this size before it goes to the disk. */
const BLOCK_BYTES = 256 * 1024;

/** A file of rows in the making. */
export type RowFile = {
  /** @param rows how many rows `text` holds; it ends with their last LF. */
  write(text: string, rows: number): Promise<void>;
  /** Makes the file durable and closes it. @returns what lies on the disk now. */
  finish(): Promise<Omit<FileFacts, 'readable'>>;
  /** Closes an unfinished file; the folder is about to be removed. */
  abandon(): Promise<void>;
};

/**
 * Begins a new file; one that is there already is an error.
 * @param gzipped whether each block is packed as a gzip member of its own: members that follow each other are one
 * archive for every reader, and the hash is taken over the packed bytes.
 */
export async function beginRowFile(path: string, gzipped: boolean): Promise<RowFile> {
  const handle = await open(path, 'wx');
  const hash = createHash('sha256');
  let waiting: string[] = [];
  let waitingLength = 0;
  let bytes = 0;
  let rowCount = 0;
  const flush = async (): Promise<void> => {
    const text = Buffer.from(waiting.join(''), 'utf8');
    waiting = [];
    waitingLength = 0;
    const block = gzipped ? await compress(text, { level: constants.Z_DEFAULT_COMPRESSION }) : text;
    hash.update(block);
    bytes += block.length;
    await writeAll(handle, block);
  };
  return {
    async write(text, rows) {
      waiting.push(text);
      waitingLength += text.length;
      rowCount += rows;
      if (waitingLength >= BLOCK_BYTES) await flush();
    },
    async finish() {
      // A packed file of no rows still needs one member to be an archive at all.
      if (waitingLength > 0 || (gzipped && bytes === 0)) await flush();
      await handle.sync();
      await handle.close();
      return { bytes, sha256: hash.digest('hex'), rows: rowCount };
    },
    abandon: () => handle.close(),
  };
}

async function writeAll(handle: FileHandle, block: Uint8Array): Promise<void> {
  for (let from = 0; from < block.length; ) {
    const { bytesWritten } = await handle.write(block, from);
    from += bytesWritten;
  }
}

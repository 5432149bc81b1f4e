import path from 'node:path';
import { makePartial, syncFolder, writeDurably } from './bundle-folder.fs.ts';
import {
  FILE_NAMES,
  MANIFEST_NAME,
  type ManifestBody,
  type ManifestFile,
  SCHEMA_VERSION,
  writeManifest,
} from './manifest.ts';
import type { ExportHeader } from './read.db.ts';
import { type Batch, type Reader, readDecisions, readExceptions } from './read-rows.db.ts';
import type { RowKind } from './row.ts';
import { type ControlTotals, makeTally, type Tally } from './tally.ts';
import { beginRowFile } from './write-file.fs.ts';

/** How far an export has come. It waits for whoever is told. */
export type ExportStage =
  | { readonly stage: 'rows'; readonly written: number; readonly of: number }
  | { readonly stage: 'before_manifest' | 'built' | 'verified' | 'renamed' | 'published' };

export type BuildRequest = {
  readonly runId: string;
  readonly exportId: string;
  /** Where the finished bundle will lie; it is built beside that place. */
  readonly finalPath: string;
  readonly gzip: boolean;
  readonly purpose: string | null;
  readonly docket: { readonly version: string; readonly commit: string | null };
  readonly signal?: AbortSignal;
  readonly onStage: (stage: ExportStage) => void | Promise<void>;
};

/**
 * Writes a whole bundle beside its place: rows from one copy each, then the manifest, all of it durable.
 * @param reader inside the reading transaction, which has also read `header` and counted `totals`.
 * @returns the totals of the rows that were written, to compare with `totals`.
 * @throws what the disk throws, and the signal's reason.
 */
export async function buildBundle(
  reader: Reader,
  request: BuildRequest,
  header: ExportHeader,
  totals: ControlTotals,
): Promise<ControlTotals> {
  const folder = await makePartial(request.finalPath);
  const tally = makeTally();
  let written = 0;
  const counted = async (rows: number): Promise<void> => {
    request.signal?.throwIfAborted();
    written += rows;
    await request.onStage({ stage: 'rows', written, of: totals.revisions });
  };
  await counted(0);
  const one = { runId: request.runId, exportId: request.exportId, withText: request.purpose !== null };
  const put = (kind: RowKind, batches: AsyncIterable<Batch>): Promise<ManifestFile> =>
    writeRows(folder, { kind, gzip: request.gzip, batches, tally, counted });
  const files: ManifestBody['files'] = [
    await put('decision', readDecisions(reader, one)),
    await put('exception', readExceptions(reader, one)),
  ];
  await request.onStage({ stage: 'before_manifest' });
  const body = manifestOf(request, header, { files, totals: tally.totals() });
  await writeDurably(path.join(folder, MANIFEST_NAME), writeManifest(body));
  await syncFolder(folder);
  return tally.totals();
}

async function writeRows(
  folder: string,
  one: {
    readonly kind: RowKind;
    readonly gzip: boolean;
    readonly batches: AsyncIterable<Batch>;
    readonly tally: Tally;
    readonly counted: (rows: number) => Promise<void>;
  },
): Promise<ManifestFile> {
  const name = FILE_NAMES[one.kind][one.gzip ? 'gzip' : 'plain'];
  const file = await beginRowFile(path.join(folder, name), one.gzip);
  try {
    for await (const { text, rows } of one.batches) {
      for (const row of rows) one.tally.add(row);
      await file.write(text, rows.length);
      await one.counted(rows.length);
    }
    return { name, ...(await file.finish()) };
  } catch (thrown) {
    await file.abandon().catch(() => {});
    throw thrown;
  }
}

function manifestOf(
  request: BuildRequest,
  header: ExportHeader,
  counted: { readonly files: ManifestBody['files']; readonly totals: ControlTotals },
): ManifestBody {
  return {
    schema_version: SCHEMA_VERSION,
    export_id: request.exportId,
    snapshot: { name: header.snapshot_name, id: header.snapshot_id, sha256: header.snapshot_sha256 },
    run: header.run,
    mode: header.mode,
    policy_version: header.policy_version,
    policy_sha256: header.policy_sha256,
    prompt_sha256: header.prompt_sha256,
    contract_version: header.contract_version,
    created_at: header.created_at,
    supersedes: header.supersedes,
    // Nothing seals the audit chain yet, so there is no head to name.
    audit_head: null,
    docket: { version: request.docket.version, commit: request.docket.commit },
    files: counted.files,
    control_totals: counted.totals as ManifestBody['control_totals'],
    ...(request.purpose === null ? {} : { purpose: request.purpose }),
  };
}

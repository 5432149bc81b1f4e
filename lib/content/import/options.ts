import type { Actor } from '../../audit/audit.db.ts';
import { isLine } from '../../kernel/text.ts';
import { isSnapshotName } from '../snapshot-name.ts';
import { type RowOptions, SOURCE_MAX_BYTES } from './row.ts';
import type { ImportFormat } from './sniff.ts';

export const SOURCE_KINDS = ['backfill', 'live', 'documents'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** Bytes of an id prefix at most. */
export const ID_PREFIX_MAX_BYTES = 128;

export type ImportOptions = RowOptions & {
  /** Undefined: what the first file is called and the beginning of the snapshot's hash. */
  readonly snapshotName?: string | undefined;
  /** Undefined: a known source keeps its kind, a new one is backfill. */
  readonly kind?: SourceKind | undefined;
  /** Undefined: each file's ending says. */
  readonly format?: ImportFormat | undefined;
  /** Rejected rows do not stop the rest. */
  readonly skipBad?: boolean | undefined;
  readonly actor: Actor;
  /** Stops the import; nothing is then committed. */
  readonly signal?: AbortSignal | undefined;
};

/** @returns which option is not fit for use, or null. */
export function optionProblem(options: ImportOptions): 'snapshotName' | 'source' | 'idPrefix' | null {
  if (options.snapshotName !== undefined && !isSnapshotName(options.snapshotName)) return 'snapshotName';
  if (options.source !== undefined && !isLine(options.source, SOURCE_MAX_BYTES)) return 'source';
  if (options.idPrefix !== undefined && !isLine(options.idPrefix, ID_PREFIX_MAX_BYTES)) return 'idPrefix';
  return null;
}

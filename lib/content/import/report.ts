import type { RejectedRow } from './fault.ts';
import type { InputForm, InputProblem } from './input-rows.ts';
import type { SourceKind } from './options.ts';
import type { ContentType } from './row.ts';

/** Rejected rows that are told one by one; all are counted. */
export const REJECTED_SHOWN_COUNT = 1_000;

/** What was counted of one file. */
export type FileReport = InputForm & {
  readonly file: string;
  /** Rows that were read, good and bad. */
  readonly rows: number;
  readonly blankLines: number;
  /** The last row is cut off. */
  readonly truncated: boolean;
  /** The line after which nothing could be read for certain, or null. */
  readonly unreadableFrom: number | null;
};

/** What was found out while reading, whether anything was committed or not. */
export type ReadReport = {
  readonly files: readonly FileReport[];
  readonly blankLines: number;
  /** Rows whose text looks like UTF-8 that was encoded twice; taken as they are. */
  readonly doubleEncoded: number;
  readonly rejectedCount: number;
  /** The first of them, by file and line. */
  readonly rejected: readonly RejectedRow[];
};

/** An import that was committed. Rows read = added + alreadyKnown + rejectedCount. */
export type ImportReport = ReadReport & {
  readonly snapshotId: string;
  readonly snapshot: string;
  readonly names: readonly string[];
  readonly sha256: string;
  /** Members of the snapshot. */
  readonly revisions: number;
  readonly added: number;
  /** Accepted rows whose revision was there before, or earlier in the same files. */
  readonly alreadyKnown: number;
  /** Known content that got a new current revision. */
  readonly edited: number;
  /** Those of them that were published and now wait for approval. */
  readonly unpublished: number;
  readonly by: readonly {
    readonly source: string;
    readonly kind: SourceKind;
    readonly contentType: ContentType;
    readonly revisions: number;
  }[];
};

/** Why nothing was committed. */
export type ImportRefusal =
  | { readonly refusal: 'bad_option'; readonly option: 'snapshotName' | 'source' | 'idPrefix' }
  | { readonly refusal: 'no_such_file' | 'not_a_file' | 'not_readable'; readonly file: string }
  | { readonly refusal: 'bad_file'; readonly file: string; readonly problem: InputProblem }
  | {
      /** `unreadable_rest`: rows may be missing without a trace, so not even --skip-bad takes the others. */
      readonly refusal: 'rejected_rows' | 'unreadable_rest' | 'empty_snapshot' | 'snapshot_name_taken';
      readonly report: ReadReport;
    };

export type ImportResult =
  | { readonly ok: true; readonly value: ImportReport }
  | ({ readonly ok: false } & ImportRefusal);

/** How far an import is. */
export type ImportProgress = {
  readonly stage: 'reading' | 'merging';
  readonly rows: number;
  readonly bytes: number;
  /** Null where a size is not known. */
  readonly totalBytes: number | null;
};

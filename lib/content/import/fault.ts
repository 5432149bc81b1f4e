/** Why one row was not taken. */
export const ROW_CODES = [
  'bad_id',
  'bad_revision',
  'missing_field',
  'unknown_field',
  'wrong_type',
  'bad_content_type',
  'bad_instant',
  'bad_gold',
  'invalid_utf8',
  'invalid_json',
  'invalid_csv',
  'duplicate_key',
  'ragged_row',
  'control_character',
  'lone_surrogate',
  'too_long',
  'row_too_large',
  'type_conflict',
  'source_conflict',
  'kind_conflict',
  'revision_conflict',
  'gold_conflict',
] as const;
export type RowCode = (typeof ROW_CODES)[number];

/** A row's first fault. `field` is null where the row as a whole is at fault. */
export type RowFault = { readonly code: RowCode; readonly field: string | null };

/** A row that was not taken, by where it stands and never by what it says. */
export type RejectedRow = {
  readonly file: string;
  /** The physical line it begins on, from 1. */
  readonly line: number;
  readonly code: RowCode;
  readonly field: string | null;
};

const PLAIN_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/** @returns a field's name where it is fit to be shown, null where a stranger wrote something else there. */
export function shownField(name: string): string | null {
  return PLAIN_NAME.test(name) ? name : null;
}

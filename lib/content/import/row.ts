import { JsonNumber, type JsonValue } from '../../kernel/json.ts';
import { codePointCount, hasAnyControl, hasForbiddenControl, hasLoneSurrogate, utf8Length } from '../../kernel/text.ts';
import { type RowCode, type RowFault, shownField } from './fault.ts';
import { type Gold, readGold } from './gold.ts';
import { inputSha256, textSha256 } from './input-hash.ts';
import { readInstant } from './instant.ts';

export const CONTENT_TYPES = ['post', 'comment', 'document'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** Bytes of one row at most, as it stands in a file. */
export const ROW_MAX_BYTES = 2 * 1_048_576;
/** Bytes of a content_id at most, its prefix included; the other ids are bound alike. */
export const CONTENT_ID_MAX_BYTES = 512;
export const REVISION_MAX_BYTES = 128;
/** Bytes of text, title and parent_text at most, each. */
export const TEXT_MAX_BYTES = 1_048_576;
export const SOURCE_MAX_BYTES = 256;
export const AUTHOR_NAME_MAX_BYTES = 8_192;
export const URL_MAX_BYTES = 8_192;
export const LANGUAGE_MAX_BYTES = 64;

export const REQUIRED_FIELDS = ['content_id', 'content_type', 'revision', 'text'] as const;
export const OPTIONAL_FIELDS = [
  'source',
  'title',
  'author_id',
  'author_name',
  'parent_id',
  'parent_text',
  'thread_id',
  'url',
  'language',
  'created_at',
  'gold',
] as const;
const KNOWN_FIELDS: ReadonlySet<string> = new Set([...REQUIRED_FIELDS, ...OPTIONAL_FIELDS]);

/** The members of one row as they were read, before any judgement. */
export type RowFields = { readonly [name: string]: JsonValue };

export type RowOptions = {
  /** The source of rows that name none; a row's own source wins. */
  readonly source?: string | undefined;
  /** Put before content_id, parent_id and thread_id, for platforms that number apart. */
  readonly idPrefix?: string | undefined;
};

/** One accepted row. Absent members are null. */
export type ImportRow = {
  readonly contentId: string;
  readonly contentType: ContentType;
  readonly revision: string;
  readonly source: string;
  readonly text: string;
  readonly title: string | null;
  readonly authorId: string | null;
  readonly authorName: string | null;
  readonly parentId: string | null;
  readonly parentText: string | null;
  readonly threadId: string | null;
  readonly url: string | null;
  readonly language: string | null;
  /** RFC 3339 in UTC. */
  readonly createdAt: string | null;
  readonly gold: Gold | null;
  readonly textSha256: string;
  readonly inputSha256: string;
  readonly textBytes: number;
  readonly codePoints: number;
};

export type RowResult =
  | { readonly ok: true; readonly row: ImportRow }
  | { readonly ok: false; readonly fault: RowFault };

/**
 * Judges one row. Nothing is trimmed, folded or normalised: what is hashed and stored is what was given.
 * @returns the row with its hashes, or its first fault.
 */
export function readRow(fields: RowFields, options: RowOptions): RowResult {
  const reader: Reader = { fields, fault: null };
  const prefix = options.idPrefix ?? '';
  const contentId = readId(reader, 'content_id', prefix) ?? fail(reader, 'missing_field', 'content_id');
  const contentType = readContentType(reader);
  const revision = readRevision(reader);
  const source = readSource(reader, options.source);
  const text = readProse(reader, 'text', TEXT_MAX_BYTES) ?? fail(reader, 'missing_field', 'text');
  const title = readProse(reader, 'title', TEXT_MAX_BYTES);
  const authorId = readId(reader, 'author_id', '');
  const authorName = readProse(reader, 'author_name', AUTHOR_NAME_MAX_BYTES);
  const parentId = readId(reader, 'parent_id', prefix);
  const parentText = readProse(reader, 'parent_text', TEXT_MAX_BYTES);
  const threadId = readId(reader, 'thread_id', prefix);
  const url = readLine(reader, 'url', URL_MAX_BYTES, 'wrong_type');
  const language = readLine(reader, 'language', LANGUAGE_MAX_BYTES, 'wrong_type');
  const createdAt = readCreatedAt(reader);
  const gold = readGoldOf(reader, contentType);
  refuseUnknown(reader);
  if (reader.fault) return { ok: false, fault: reader.fault };
  return {
    ok: true,
    row: {
      contentId,
      contentType,
      revision,
      source,
      text,
      title,
      authorId,
      authorName,
      parentId,
      parentText,
      threadId,
      url,
      language,
      createdAt,
      gold,
      textSha256: textSha256(text),
      inputSha256: inputSha256({ text, title, authorName, parentText }),
      textBytes: utf8Length(text),
      codePoints: codePointCount(text),
    },
  };
}

/** Members are read one by one; after a fault the values are placeholders that nobody uses. */
type Reader = { readonly fields: RowFields; fault: RowFault | null };

/** Keeps the first fault. */
function fail(reader: Reader, code: RowCode, field: string | null): string {
  reader.fault ??= { code, field };
  return '';
}

function readText(reader: Reader, name: string, wrongType: RowCode): string | null {
  const value = reader.fields[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') return fail(reader, wrongType, name);
  return hasLoneSurrogate(value) ? fail(reader, 'lone_surrogate', name) : value;
}

function bounded(reader: Reader, value: string, name: string, maxBytes: number): string {
  // A string has at most three bytes a UTF-16 unit: short ones need no counting.
  if (value.length * 3 > maxBytes && utf8Length(value) > maxBytes) return fail(reader, 'too_long', name);
  return value;
}

/** What stands on one line: no control character at all. */
function readLine(reader: Reader, name: string, maxBytes: number, wrongType: RowCode): string | null {
  const value = readText(reader, name, wrongType);
  if (value === null) return null;
  if (hasAnyControl(value)) return fail(reader, 'control_character', name);
  return bounded(reader, value, name, maxBytes);
}

/** Running text, in which tab, LF and CR are characters like others. */
function readProse(reader: Reader, name: string, maxBytes: number): string | null {
  const value = readText(reader, name, 'wrong_type');
  if (value === null) return null;
  if (hasForbiddenControl(value)) return fail(reader, 'control_character', name);
  return bounded(reader, value, name, maxBytes);
}

/** A JSON number is no id: beyond 2^53 two of them would become one. */
function readId(reader: Reader, name: string, prefix: string): string | null {
  const value = readLine(reader, name, CONTENT_ID_MAX_BYTES, 'bad_id');
  if (value === null) return null;
  if (value === '') return fail(reader, 'bad_id', name);
  return prefix === '' ? value : bounded(reader, `${prefix}${value}`, name, CONTENT_ID_MAX_BYTES);
}

function readContentType(reader: Reader): ContentType {
  const value = readText(reader, 'content_type', 'wrong_type') ?? fail(reader, 'missing_field', 'content_type');
  const known = CONTENT_TYPES.find((type) => type === value);
  if (!known) fail(reader, 'bad_content_type', 'content_type');
  return known ?? 'post';
}

function readRevision(reader: Reader): string {
  const value = reader.fields.revision;
  if (value === undefined || value === null) return fail(reader, 'missing_field', 'revision');
  if (value instanceof JsonNumber) {
    return isWholeNumber(value.source) ? value.source : fail(reader, 'bad_revision', 'revision');
  }
  const named = readLine(reader, 'revision', REVISION_MAX_BYTES, 'bad_revision') ?? '';
  return named === '' ? fail(reader, 'bad_revision', 'revision') : named;
}

function readSource(reader: Reader, given: string | undefined): string {
  const source = readLine(reader, 'source', SOURCE_MAX_BYTES, 'wrong_type') ?? given ?? '';
  return source === '' ? fail(reader, 'missing_field', 'source') : source;
}

function readCreatedAt(reader: Reader): string | null {
  const value = readText(reader, 'created_at', 'wrong_type');
  return value === null ? null : (readInstant(value) ?? fail(reader, 'bad_instant', 'created_at'));
}

function readGoldOf(reader: Reader, contentType: ContentType): Gold | null {
  const gold = readGold(reader.fields.gold, contentType);
  if (gold !== 'bad') return gold;
  fail(reader, 'bad_gold', 'gold');
  return null;
}

function refuseUnknown(reader: Reader): void {
  for (const name in reader.fields) {
    if (!KNOWN_FIELDS.has(name)) {
      fail(reader, 'unknown_field', shownField(name));
      return;
    }
  }
}

/** Judged on what was written: 01, 1.0, 1e2, -0 and everything beyond 2^53-1 are other things than they look. */
function isWholeNumber(source: string): boolean {
  return /^(?:0|[1-9][0-9]{0,15})$/.test(source) && Number.isSafeInteger(Number(source));
}

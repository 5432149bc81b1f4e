import { JsonNumber, type JsonValue } from '../../kernel/json.ts';
import { codePointCount, hasAnyControl, hasForbiddenControl, hasLoneSurrogate, utf8Length } from '../../kernel/text.ts';
import { type RowCode, type RowFault, shownField } from './fault.ts';
import { type Gold, readGold } from './gold.ts';
import { inputSha256, textSha256 } from './input-hash.ts';
import { readInstant } from './instant.ts';

export const CONTENT_TYPES = ['post', 'comment', 'document'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

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
  const read = fieldReader(fields);
  const prefix = options.idPrefix ?? '';
  const contentId = read.id('content_id', prefix) ?? read.missing('content_id');
  const contentType = read.contentType();
  const revision = read.revision();
  const source = read.source(options.source);
  const text = read.prose('text') ?? read.missing('text');
  const title = read.prose('title');
  const authorId = read.id('author_id', '');
  const authorName = read.prose('author_name', AUTHOR_NAME_MAX_BYTES);
  const parentId = read.id('parent_id', prefix);
  const parentText = read.prose('parent_text');
  const threadId = read.id('thread_id', prefix);
  const url = read.line('url', URL_MAX_BYTES);
  const language = read.line('language', LANGUAGE_MAX_BYTES);
  const createdAt = read.instant('created_at');
  const gold = read.gold(contentType);
  read.refuseUnknown();
  const fault = read.fault();
  if (fault) return { ok: false, fault };
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

/** Reads members one by one and keeps the first fault; after a fault the values are placeholders nobody uses. */
function fieldReader(fields: RowFields) {
  let first: RowFault | null = null;
  const fail = (code: RowCode, field: string | null): string => {
    first ??= { code, field };
    return '';
  };
  const text = (name: string, wrongType: RowCode): string | null => {
    const value = fields[name];
    if (value === undefined || value === null) return null;
    if (typeof value !== 'string') return fail(wrongType, name);
    return hasLoneSurrogate(value) ? fail('lone_surrogate', name) : value;
  };
  const bounded = (value: string | null, name: string, maxBytes: number): string | null => {
    // A string has at most three bytes a UTF-16 unit: short ones need no counting.
    if (value !== null && value.length * 3 > maxBytes && utf8Length(value) > maxBytes) return fail('too_long', name);
    return value;
  };
  const line = (name: string, maxBytes: number, wrongType: RowCode = 'wrong_type'): string | null => {
    const value = text(name, wrongType);
    if (value !== null && hasAnyControl(value)) return fail('control_character', name);
    return bounded(value, name, maxBytes);
  };
  return {
    fault: () => first,
    missing: (name: string) => fail('missing_field', name),
    line,
    prose: (name: string, maxBytes = TEXT_MAX_BYTES): string | null => {
      const value = text(name, 'wrong_type');
      if (value !== null && hasForbiddenControl(value)) return fail('control_character', name);
      return bounded(value, name, maxBytes);
    },
    id: (name: string, prefix: string): string | null => {
      const value = line(name, CONTENT_ID_MAX_BYTES, 'bad_id');
      if (value === null) return null;
      if (value === '') return fail('bad_id', name);
      return prefix === '' ? value : bounded(`${prefix}${value}`, name, CONTENT_ID_MAX_BYTES);
    },
    contentType: (): ContentType => {
      const value = text('content_type', 'wrong_type') ?? fail('missing_field', 'content_type');
      const known = CONTENT_TYPES.find((type) => type === value);
      if (!known) fail('bad_content_type', 'content_type');
      return known ?? 'post';
    },
    revision: (): string => {
      const value = fields.revision;
      if (value === undefined || value === null) return fail('missing_field', 'revision');
      if (value instanceof JsonNumber)
        return isWholeNumber(value.source) ? value.source : fail('bad_revision', 'revision');
      const named = line('revision', REVISION_MAX_BYTES, 'bad_revision') ?? '';
      return named === '' ? fail('bad_revision', 'revision') : named;
    },
    source: (given: string | undefined): string => {
      const own = line('source', SOURCE_MAX_BYTES);
      const source = own ?? given ?? '';
      return source === '' ? fail('missing_field', 'source') : source;
    },
    instant: (name: string): string | null => {
      const value = text(name, 'wrong_type');
      return value === null ? null : (readInstant(value) ?? fail('bad_instant', name));
    },
    gold: (contentType: ContentType): Gold | null => {
      const gold = readGold(fields.gold, contentType);
      if (gold !== 'bad') return gold;
      fail('bad_gold', 'gold');
      return null;
    },
    refuseUnknown: (): void => {
      for (const name in fields) {
        if (!KNOWN_FIELDS.has(name)) {
          fail('unknown_field', shownField(name));
          return;
        }
      }
    },
  };
}

/** Judged on what was written: 01, 1.0, 1e2, -0 and everything beyond 2^53-1 are other things than they look. */
function isWholeNumber(source: string): boolean {
  return /^(?:0|[1-9][0-9]{0,15})$/.test(source) && Number.isSafeInteger(Number(source));
}

import { csvRows } from './csv.ts';
import { type Delimiter, delimiterOf, type HeaderProblem } from './csv-columns.ts';
import { ndjsonRows } from './ndjson.ts';
import { formatOf, type ImportFormat, type LookAlike, looksLikeAnother, SNIFF_BYTES } from './sniff.ts';
import { type FileTally, type RawRow, withoutBom } from './tally.ts';

/** Something to import: a file, or the body of a request. */
export type ImportInput = {
  /** Shown with its rejected rows. */
  readonly name: string;
  /** Null where nobody knows. */
  readonly sizeBytes: number | null;
  readonly bytes: () => AsyncIterable<Uint8Array>;
};

/** Why a whole file is refused before its first row. */
export type InputProblem =
  | { readonly code: 'not_ndjson' | 'not_csv'; readonly looksLike: LookAlike }
  | { readonly code: 'bad_header'; readonly header: HeaderProblem };

/** How a file is read, settled by its first bytes. */
export type InputForm = { readonly format: ImportFormat; readonly delimiter: Delimiter | null };

export type InputPart =
  | { readonly kind: 'form'; readonly form: InputForm }
  | { readonly kind: 'problem'; readonly problem: InputProblem }
  | { readonly kind: 'rows'; readonly rows: RawRow[] };

/**
 * Reads one input, one pass: first how it is read, then its rows in order; or why it is refused, and nothing more.
 * @param options.format overrules the ending of the name. `hasSource`: rows need not name their source.
 * @param tally is counted up as rows are read.
 */
export async function* inputRows(
  input: ImportInput,
  options: { readonly format: ImportFormat | undefined; readonly hasSource: boolean },
  tally: FileTally,
): AsyncGenerator<InputPart> {
  const format = options.format ?? formatOf(input.name);
  const { head, whole, all, close } = await peek(input.bytes());
  const looksLike = looksLikeAnother(withoutBom(head), format, whole);
  if (looksLike !== null) {
    await close();
    yield { kind: 'problem', problem: { code: format === 'csv' ? 'not_csv' : 'not_ndjson', looksLike } };
    return;
  }
  if (format === 'ndjson') {
    yield { kind: 'form', form: { format, delimiter: null } };
    for await (const rows of ndjsonRows(all, tally)) yield { kind: 'rows', rows };
    return;
  }
  const delimiter = delimiterOf(firstLine(withoutBom(head)));
  yield { kind: 'form', form: { format, delimiter } };
  for await (const part of csvRows(all, { delimiter, hasSource: options.hasSource }, tally)) {
    if (Array.isArray(part)) yield { kind: 'rows', rows: part };
    else yield { kind: 'problem', problem: { code: 'bad_header', header: part } };
  }
}

function firstLine(head: Uint8Array): string {
  const text = new TextDecoder('utf-8').decode(head);
  return text.split(/\r?\n/).find((line) => line !== '') ?? '';
}

type Peeked = {
  readonly head: Uint8Array;
  /** True where `head` is all there is. */
  readonly whole: boolean;
  readonly all: AsyncIterable<Uint8Array>;
  /** For whoever does not read on. */
  close(): Promise<void>;
};

/** Looks at the first bytes of a stream and gives it back as if nobody had. */
async function peek(bytes: AsyncIterable<Uint8Array>): Promise<Peeked> {
  const iterator = bytes[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  let seenBytes = 0;
  let whole = false;
  while (seenBytes < SNIFF_BYTES && !whole) {
    const next = await iterator.next();
    if (next.done) whole = true;
    else {
      seen.push(next.value);
      seenBytes += next.value.length;
    }
  }
  const close = async (): Promise<void> => {
    await iterator.return?.();
  };
  async function* all(): AsyncGenerator<Uint8Array> {
    try {
      yield* seen;
      seen.length = 0;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
    } finally {
      await close();
    }
  }
  const head = Buffer.concat(seen, Math.min(seenBytes, SNIFF_BYTES));
  return { head, whole: whole && seenBytes <= SNIFF_BYTES, all: all(), close };
}

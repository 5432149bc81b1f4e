import { isJsonObject, JsonNumber, type JsonValue } from '../../kernel/json.ts';
import { isLine } from '../../kernel/text.ts';

/** What a gold label's name is: a label of a policy, a whole verdict, or a tag (of a document). */
export type GoldKind = 'label' | 'verdict' | 'tag';
export type Gold = { readonly kind: GoldKind; readonly values: Readonly<Record<string, 0 | 1>> };

/** Bytes of a label's name at most. */
export const GOLD_LABEL_MAX_BYTES = 128;
/** Labels of one row at most. */
export const GOLD_LABELS_MAX_COUNT = 256;

/** A verdict of ours, or the word of the `verdict` contract. */
export const GOLD_VERDICTS: readonly string[] = ['allow', 'review', 'restrict', 'CLEAN', 'SPAM', 'REVIEW'];

/**
 * Reads adjudicated truth: `{label: 0|1}`, where an absent label is unknown, or one verdict.
 * @param contentType names of a document are tags, those of a post or comment labels.
 * @returns null where nothing is said, 'bad' where it is neither form.
 */
export function readGold(value: JsonValue | undefined, contentType: string): Gold | null | 'bad' {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') {
    return GOLD_VERDICTS.includes(value) ? { kind: 'verdict', values: { [value]: 1 } } : 'bad';
  }
  if (!isJsonObject(value)) return 'bad';
  const names = Object.keys(value);
  if (names.length === 0) return null;
  if (names.length > GOLD_LABELS_MAX_COUNT) return 'bad';
  const values: Record<string, 0 | 1> = Object.create(null);
  for (const name of names) {
    const given = value[name];
    const digit = given instanceof JsonNumber ? given.source : null;
    if ((digit !== '0' && digit !== '1') || !isLine(name, GOLD_LABEL_MAX_BYTES)) return 'bad';
    values[name] = digit === '1' ? 1 : 0;
  }
  return { kind: contentType === 'document' ? 'tag' : 'label', values };
}

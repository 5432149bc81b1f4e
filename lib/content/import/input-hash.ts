import { sha256Hex } from '../../kernel/hash.ts';

/** Everything of a revision that is shown to a classifier. */
export type ShownInput = {
  readonly text: string;
  readonly title: string | null;
  readonly authorName: string | null;
  readonly parentText: string | null;
};

/** @returns SHA-256 hex over the exact bytes of the text: no trim, no normalising. */
export function textSha256(text: string): string {
  return sha256Hex(text);
}

/**
 * @param input well-formed strings; null members are absent and left out.
 * @returns SHA-256 hex over the RFC 8785 form of {text, title, author_name, parent_text}. JSON.stringify writes that form
 * here: the members stand in sorted order and all are strings.
 */
export function inputSha256(input: ShownInput): string {
  return sha256Hex(
    JSON.stringify({
      author_name: input.authorName ?? undefined,
      parent_text: input.parentText ?? undefined,
      text: input.text,
      title: input.title ?? undefined,
    }),
  );
}

/**
 * What a terminal could take as an order or show as something else: C0, DEL and C1 controls, the two line separators,
 * and the characters that turn the direction of what follows.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: naming the control characters is the point
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** @returns the line with every control character written as \uXXXX, so that no id can speak to the terminal. */
export function printable(line: string): string {
  return line.replace(UNSAFE, escaped);
}

/** @returns one line of JSON that parses to the same value and holds no raw control character. */
export function printableJson(value: object): string {
  return JSON.stringify(value).replace(UNSAFE, escaped);
}

/** @returns the line cut to the width of the terminal, so that it can be replaced in place. */
export function fitted(line: string, columns: number): string {
  return line.length < columns ? line : `${line.slice(0, Math.max(0, columns - 2))}…`;
}

/** PostgreSQL's text form of COPY, written and read. */

const ESCAPED = /[\\\t\n\r\b\f\v]/g;
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
};

function escaped(value: string): string {
  return value.replace(ESCAPED, (character) => ESCAPES[character] ?? character);
}

/** @returns one line of COPY input, its newline included. Strings must be well-formed and hold no NUL. */
export function copyLine(values: readonly (string | number | null)[]): string {
  let line = '';
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (i > 0) line += '\t';
    if (typeof value === 'number') line += value;
    else line += value === null || value === undefined ? '\\N' : escaped(value);
  }
  return `${line}\n`;
}

const TAB = 0x09;
const BACKSLASH = 0x5c;

/**
 * Turns COPY output of columns without any control character into the bytes a snapshot's hash is over: the tabs between
 * columns become NUL and a doubled backslash becomes one again.
 * @returns a function from chunk to bytes that remembers a pair cut in two.
 */
export function snapshotLineBytes(): (chunk: Uint8Array) => Uint8Array {
  let pending = false;
  return (chunk) => {
    const bytes = new Uint8Array(chunk.length);
    let length = 0;
    for (const byte of chunk) {
      if (pending) {
        pending = false;
        bytes[length++] = byte;
      } else if (byte === BACKSLASH) {
        pending = true;
      } else {
        bytes[length++] = byte === TAB ? 0 : byte;
      }
    }
    return bytes.subarray(0, length);
  };
}

import { expect, test } from 'vitest';
import { looksDoubleEncoded } from './double-encoded.ts';

test.each(['caf\u00c3\u00a9', '\u00f0\u009f\u0098\u0080', 'plain \u00e2\u0080\u0099 text'])(
  '%j was encoded twice',
  (text) => {
    expect(looksDoubleEncoded(text)).toBe(true);
  },
);

test.each(['caf\u00e9', 'plain', 'Ã is a letter', 'na\u00efve fa\u00e7ade', '\u00c3\u00a9 and 中', '😀', ''])(
  '%j was not',
  (text) => {
    expect(looksDoubleEncoded(text)).toBe(false);
  },
);

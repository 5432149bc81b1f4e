import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detected } from './detectors.ts';

describe('private data is found in', () => {
  test.each<[string, string]>([
    ['an e-mail address', 'write to mia.sample@example.org'],
    ['an address that is spelled out', 'mia dot sample, no: mia.sample at example dot org'],
    ['a telephone number', 'her number is 555-0123 456'],
    ['an international number', 'ring +44 20 7946 0018'],
    ['an account number', 'DE89 3704 0044 0532 0130 00'],
    ['a payment card', 'card 4111 1111 1111 1111'],
    ['a street', 'she lives at 12 Quince Lane'],
    ['a German street', 'er wohnt in der Beispielstraße 7, Musterstraße 12'],
    ['a French street', 'il habite 4 rue des Exemples'],
    ['full-width digits', 'ring ０２０ ７９４６ ００１８'],
  ])('%s', (_, text) => {
    expect(detected(text).private_data).toBeGreaterThanOrEqual(0.5);
  });
});

describe('private data is not found in', () => {
  test.each<[string, string]>([
    ['an address of an office', 'write to info@example.org'],
    ['a date', 'on 12.03.2021 or 2021-03-12'],
    ['a span of years', 'from 1990-1999'],
    ['a price', 'it cost 1 200 000 €'],
    ['a number of posts', 'after 1234567 posts'],
    ['an account number with a wrong check digit', 'DE88 3704 0044 0532 0130 00'],
    ['a handle', 'ask @mia about it'],
    ['a street without a house', 'Quince Lane is lovely in spring'],
    ['a version', 'version 10.0.19045 is fine'],
  ])('%s', (_, text) => {
    expect(detected(text).private_data).toBeLessThan(0.5);
  });
});

describe('a scam shows', () => {
  test('where lures stand together', () => {
    const text = 'I doubled my $500 in 3 days with bitcoin, guaranteed! Contact Mrs Sample on WhatsApp.';
    expect(detected(text).scam).toBeGreaterThanOrEqual(0.7);
  });
  test.each(['Is bitcoin still a thing?', 'I paid $5 for it.', 'Text me when you are home.', ''])(
    'not in "%s"',
    (text) => {
      expect(detected(text).scam).toBeLessThan(0.5);
    },
  );
});

test('any text gets scores from 0 to 1, the same each time', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string()), (text) => {
      const found = detected(text);
      expect(Object.values(found).every((score) => score >= 0 && score <= 1)).toBe(true);
      expect(detected(text)).toEqual(found);
    }),
  );
});

test('a text made to be slow is read in time', () => {
  for (const part of ['1 ', 'a.', 'a@', 'Aa ', 'DE12 AAAA ', '(at', '1-']) {
    expect(detected(part.repeat(50_000)).private_data).toBeLessThanOrEqual(1);
  }
});

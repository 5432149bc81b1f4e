import { describe, expect, test } from 'vitest';
import { testPolicy } from '../policy/testing.ts';
import { faultOf, namedAction, rulebook, sortedLabels } from './rulebook.ts';

const book = rulebook(testPolicy());

describe('what a restriction comes to', () => {
  test.each([
    ['the action of the named label', ['threat'], null, { action: 'label', label: 'threat' }],
    ['the strongest among several', ['threat', 'hate', 'spam'], null, { action: 'hide', label: 'spam' }],
    ['the action of the label the case is about, where none is named', [], 'hate', { action: 'limit', label: 'hate' }],
    ['what is named, not what brought it here', ['threat'], 'spam', { action: 'label', label: 'threat' }],
    ['hide, where nothing says it', [], null, { action: 'hide', label: null }],
  ])('is %s', (_, named, about, expected) => {
    expect(namedAction(book, named, about)).toEqual(expected);
  });
});

describe('what a person says', () => {
  test.each([
    ['restrict', [], null, 'reason_required'],
    ['restrict', [], 'spam', null],
    ['allow', [], null, null],
    ['allow', ['hate'], null, null],
    ['allow', [], 'nonsense', 'unknown_reason'],
    ['restrict', ['nonsense'], 'spam', 'unknown_label'],
  ] as const)('%s with labels %j and reason %s is answered %s', (verdict, labels, reasonCode, expected) => {
    expect(faultOf(book, { verdict, labels, reasonCode })).toBe(expected);
  });

  test('without a policy version has no labels and one reason', () => {
    const none = rulebook(null);
    expect(faultOf(none, { verdict: 'restrict', labels: [], reasonCode: 'other' })).toBeNull();
    expect(faultOf(none, { verdict: 'restrict', labels: ['hate'], reasonCode: 'other' })).toBe('unknown_label');
    expect(namedAction(none, [], null)).toEqual({ action: 'hide', label: null });
  });

  test('is the same in any order and however often a label is named', () => {
    expect(sortedLabels(['spam', 'hate', 'spam'])).toEqual(['hate', 'spam']);
  });
});

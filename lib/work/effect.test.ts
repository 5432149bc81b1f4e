import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONTENT_STATUSES } from '../content/status.ts';
import { effectOf, type Finding, type Situation } from './effect.ts';

const allow: Finding = { kind: 'decision', verdict: 'allow', label: null, score: null, action: null };
const review: Finding = { kind: 'decision', verdict: 'review', label: 'spam', score: 0.5, action: null };
const restrict: Finding = { kind: 'decision', verdict: 'restrict', label: 'spam', score: 0.9, action: 'hide' };
const exception: Finding = { kind: 'exception', code: 'timeout' };
const plain: Situation = {
  mode: 'hold',
  governing: 'this',
  status: 'published',
  isCurrentRevision: true,
  personActed: false,
  withheld: false,
  inherited: false,
  hadEffect: false,
  recordCase: false,
  openCase: false,
  activeAction: false,
};
const nothing = { hold: false, openCase: null, propose: null };

describe('the table of modes', () => {
  test.each<[Situation['mode'], Situation['status'], Finding, Partial<ReturnType<typeof effectOf>>]>([
    ['record', 'published', allow, { effect: 'none' }],
    ['record', 'published', review, { effect: 'none', openCase: 'review' }],
    ['record', 'published', restrict, { effect: 'none', openCase: 'restrict' }],
    ['record', 'published', exception, { effect: 'none', openCase: 'timeout' }],
    ['record', 'pending', allow, { effect: 'none' }],
    ['record', 'pending', restrict, { effect: 'none', openCase: 'restrict' }],
    ['hold', 'published', allow, { effect: 'none' }],
    ['hold', 'published', review, { effect: 'applied', openCase: 'review' }],
    ['hold', 'published', restrict, { effect: 'applied', propose: 'hide' }],
    ['hold', 'published', exception, { effect: 'applied', openCase: 'timeout' }],
    ['hold', 'pending', allow, { effect: 'applied', hold: true, openCase: 'allow_on_held' }],
    ['hold', 'pending', review, { effect: 'applied', hold: true, openCase: 'review' }],
    ['hold', 'pending', restrict, { effect: 'applied', hold: true, propose: 'hide' }],
    ['hold', 'pending', exception, { effect: 'applied', hold: true, openCase: 'timeout' }],
  ])('%s, item %s', (mode, status, finding, expected) => {
    expect(effectOf(finding, { ...plain, mode, status })).toEqual({ ...nothing, ...expected });
  });
});

describe('before the go', () => {
  test.each(['record', 'hold'] as const)('a decision in %s mode does nothing, whatever it says', (mode) => {
    for (const finding of [allow, review, restrict]) {
      for (const status of CONTENT_STATUSES.filter((one) => one !== 'removed')) {
        expect(effectOf(finding, { ...plain, mode, status, withheld: true })).toEqual({
          ...nothing,
          effect: 'withheld',
        });
      }
    }
  });

  test('an exception is not withheld: no policy speaks in it', () => {
    expect(effectOf(exception, { ...plain, withheld: true })).toMatchObject({ openCase: 'timeout' });
  });

  test('what governs, is current and was decided by a person comes first', () => {
    const withheld = { ...plain, withheld: true };
    expect(effectOf(review, { ...withheld, governing: 'other' }).effect).toBe('not_governing');
    expect(effectOf(review, { ...withheld, isCurrentRevision: false }).effect).toBe('superseded');
    expect(effectOf(review, { ...withheld, personActed: true }).effect).toBe('late');
  });
});

describe('held and restricted items', () => {
  test.each<[string, Partial<Situation>, Finding, string | null, string | null]>([
    ['an allow leaves a held item that somebody looks at', { status: 'held', openCase: true }, allow, null, null],
    ['an allow leaves a held item with a proposal', { status: 'held', activeAction: true }, allow, null, null],
    ['an allow on a held item nobody looks at', { status: 'held' }, allow, 'allow_on_held', null],
    [
      'an allow on a new revision of a held item',
      { status: 'held', inherited: true, openCase: true },
      allow,
      'allow_on_held',
      null,
    ],
    [
      'an allow on a new revision of a restricted item',
      { status: 'restricted', inherited: true, activeAction: true },
      allow,
      'allow_on_held',
      null,
    ],
    ['an allow never lifts a restriction', { status: 'restricted', activeAction: true }, allow, null, null],
    ['a restrict on a held item is proposed', { status: 'held' }, restrict, null, 'hide'],
    [
      'a restrict on a new revision of a held item opens a case',
      { status: 'held', inherited: true },
      restrict,
      'restrict',
      null,
    ],
    ['a restrict while an action is active opens a case', { activeAction: true }, restrict, 'restrict', null],
    ['a review on a held item', { status: 'held', openCase: true }, review, 'review', null],
  ])('%s', (_name, changes, finding, openCase, propose) => {
    expect(effectOf(finding, { ...plain, ...changes })).toMatchObject({ openCase, propose, hold: false });
  });
});

describe('the first that holds', () => {
  const late = { personActed: true };
  const superseded = { isCurrentRevision: false };
  test.each<[string, Partial<Situation>, string]>([
    ['another version governs', { governing: 'other', ...superseded, ...late }, 'not_governing'],
    ['no version governs in hold mode', { governing: 'none', ...superseded, ...late }, 'not_governing'],
    ['a newer revision came', { ...superseded, ...late }, 'superseded'],
    ['a person acted', late, 'late'],
    ['it had its effect already', { hadEffect: true }, 'none'],
    ['the item was removed', { status: 'removed' }, 'none'],
  ])('%s', (_name, changes, effect) => {
    for (const finding of [allow, review, restrict, exception]) {
      expect(effectOf(finding, { ...plain, ...changes })).toEqual({ ...nothing, effect });
    }
  });

  test('in record mode a source that no version governs is how it begins', () => {
    expect(effectOf(review, { ...plain, mode: 'record', governing: 'none' })).toMatchObject({ openCase: 'review' });
  });
});

test('a case that was opened for the record decides from the first hold run on', () => {
  const situation = { ...plain, hadEffect: true, recordCase: true } as const;
  expect(effectOf(restrict, situation)).toEqual({ ...nothing, effect: 'applied', openCase: 'restrict' });
  expect(effectOf(restrict, { ...situation, status: 'pending' })).toMatchObject({ hold: true, openCase: 'restrict' });
  expect(effectOf(restrict, { ...situation, mode: 'record' })).toEqual({ ...nothing, effect: 'none' });
});

const anyFinding = fc.constantFrom(allow, review, restrict, exception);
const anySituation: fc.Arbitrary<Situation> = fc.record({
  mode: fc.constantFrom('record' as const, 'hold' as const),
  governing: fc.constantFrom('this' as const, 'other' as const, 'none' as const),
  status: fc.constantFrom(...CONTENT_STATUSES),
  isCurrentRevision: fc.boolean(),
  personActed: fc.boolean(),
  withheld: fc.boolean(),
  inherited: fc.boolean(),
  hadEffect: fc.boolean(),
  recordCase: fc.boolean(),
  openCase: fc.boolean(),
  activeAction: fc.boolean(),
});

test('nothing is written unless the version governs, the revision is current and no person has acted', () => {
  fc.assert(
    fc.property(anyFinding, anySituation, (finding, situation) => {
      const { effect, ...written } = effectOf(finding, situation);
      if (['not_governing', 'superseded', 'late'].includes(effect)) expect(written).toEqual(nothing);
      if (situation.mode === 'record') expect(written).toMatchObject({ hold: false, propose: null });
    }),
  );
});

test('whatever a hold run leaves held has a case or a proposal, and only pending becomes held', () => {
  fc.assert(
    fc.property(anyFinding, anySituation, (finding, situation) => {
      const { effect, hold, openCase, propose } = effectOf(finding, { ...situation, mode: 'hold' });
      if (hold) expect(situation.status).toBe('pending');
      const acted = effect === 'applied' || (effect === 'none' && !situation.hadEffect);
      const held = hold || situation.status === 'held';
      if (acted && held) {
        const eyes = openCase !== null || propose !== null;
        expect(eyes || situation.openCase || situation.activeAction).toBe(true);
      }
      if (propose !== null) expect(situation.activeAction).toBe(false);
    }),
  );
});

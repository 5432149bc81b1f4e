import { expect, test } from 'vitest';
import { publicChange, publicView } from './public-view.ts';

test('strangers see what is published, and of what is restricted only what the action leaves', () => {
  expect([
    publicView('pending', null),
    publicView('published', null),
    publicView('held', null),
    publicView('restricted', 'hide'),
    publicView('restricted', 'limit'),
    publicView('restricted', 'label'),
    publicView('removed', null),
  ]).toEqual(['not_shown', 'shown', 'not_shown', 'hidden', 'limited', 'labelled', 'gone']);
});

test('each answer to a proposal says what it makes of the item', () => {
  expect(publicChange({ status: 'held', action: null, enforcementOpen: false }, 'label')).toEqual({
    now: 'not_shown',
    approved: 'labelled',
    appliesAtOnce: false,
    released: 'shown',
    backToReview: 'not_shown',
  });
});

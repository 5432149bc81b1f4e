import { describe, expect, test } from 'vitest';
import { inOrder, stepsOf, type TimelineEntry } from './timeline.ts';
import type { ActionRow } from './timeline-rows.ts';

const at = (ms: number) => new Date(1_700_000_000_000 + ms);
const row = (changes: Partial<ActionRow>): ActionRow => ({
  id: 'a',
  revision: '1',
  policy_version: 'p@1',
  status_version: 1,
  action: 'hide',
  state: 'proposed',
  label: null,
  reason_code: null,
  proposed_by: 'user:1',
  proposer_name: 'One',
  proposed_at: at(0),
  decided_by: null,
  decider_name: null,
  decided_at: null,
  applied_at: null,
  applied_version: null,
  closed_at: null,
  closed_as: null,
  note: null,
  ...changes,
});
const decided = { decided_by: 'user:2', decider_name: 'Two', decided_at: at(1) };
const applied = { ...decided, applied_at: at(2), applied_version: 2 };

describe('the steps of an action', () => {
  test.each([
    ['proposed', {}, ['proposed']],
    ['approved', decided, ['proposed', 'approved']],
    ['applied', applied, ['proposed', 'approved', 'applied']],
    ['rejected', { ...decided, closed_at: at(1), closed_as: 'released' }, ['proposed', 'rejected']],
    ['withdrawn', { closed_at: at(3), closed_as: 'superseded' }, ['proposed', 'withdrawn']],
    ['withdrawn', { ...decided, closed_at: at(3), closed_as: 'superseded' }, ['proposed', 'approved', 'withdrawn']],
    [
      'reversed',
      { ...applied, closed_at: at(3), closed_as: 'reviewed' },
      ['proposed', 'approved', 'applied', 'reversed'],
    ],
  ] as const)('that is %s are told one by one', (state, changes, steps) => {
    expect(stepsOf(row({ state, ...changes })).map((one) => one.step)).toEqual(steps);
  });

  test('name who took each of them', () => {
    const steps = stepsOf(
      row({ state: 'rejected', ...decided, closed_at: at(1), closed_as: 'released', note: 'Why.' }),
    );
    expect(steps.map((one) => [one.actorName, one.closedAs, one.note])).toEqual([
      ['One', null, null],
      ['Two', 'released', 'Why.'],
    ]);
  });
});

test('a timeline is ordered by time, and within an instant from cause to effect', () => {
  const entry = (kind: TimelineEntry['kind'], ms: number) => ({ kind, at: at(ms) }) as TimelineEntry;
  const given = [entry('case', 5), entry('record', 5), entry('arrival', 5), entry('review', 5), entry('decision', 4)];
  expect(inOrder(given).map((one) => one.kind)).toEqual(['decision', 'arrival', 'review', 'record', 'case']);
});

import { describe, expect, test } from 'vitest';
import { CASE_STATES, CASE_STEPS, caseAfter } from './case-state.ts';

const ALLOWED = [
  'open -claim-> claimed',
  'open -supersede-> closed',
  'open -withdraw-> closed',
  'open -requeue-> closed',
  'claimed -release-> open',
  'claimed -expire-> open',
  'claimed -skip-> open',
  'claimed -defer-> open',
  'claimed -not_sure-> open',
  'claimed -escalate-> open',
  'claimed -submit-> submitted',
  'claimed -withdraw-> closed',
  'submitted -take_back-> claimed',
  'submitted -refuse-> open',
  'submitted -review-> closed',
  'submitted -withdraw-> closed',
];

describe('a case', () => {
  test('moves only along the table of states.md', () => {
    const moves = CASE_STATES.flatMap((state) =>
      CASE_STEPS.flatMap((step) => {
        const next = caseAfter(state, step);
        return next ? [`${state} -${step}-> ${next}`] : [];
      }),
    );
    expect(moves.sort()).toEqual([...ALLOWED].sort());
  });

  test('that is submitted does not expire', () => {
    expect(caseAfter('submitted', 'expire')).toBeNull();
  });
});

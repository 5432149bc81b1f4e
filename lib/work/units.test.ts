import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ALL_SOURCES, type Allowance, grantUnits } from './units.ts';

const FREE: Allowance = { limit: null, taken: 0 };
const want = (...units: number[]) => units.map((each, at) => ({ id: at + 1, source: 'forum', units: each }));
const grants = (found: ReadonlyMap<number, string>) => [...found.values()];

describe('a grant', () => {
  test.each([
    ['starts everything where nothing is limited', want(5, 5), FREE, {}, ['start', 'start']],
    ['fills the ceiling to the unit', want(5, 5), { limit: 20, taken: 10 }, {}, ['start', 'start']],
    ['never passes the ceiling', want(5, 6), { limit: 20, taken: 10 }, {}, ['start', 'ceiling']],
    ['lets a smaller one pass that still fits', want(50, 5), { limit: 20, taken: 10 }, {}, ['ceiling', 'start']],
    ['holds the cap of the source', want(5, 6), FREE, { forum: { limit: 10, taken: 0 } }, ['start', 'capped']],
    ['holds the cap of everything', want(5, 6), FREE, { [ALL_SOURCES]: { limit: 10, taken: 0 } }, ['start', 'capped']],
    ['leaves other sources alone', want(5), FREE, { blog: { limit: 1, taken: 1 } }, ['start']],
    ['asks the cap before the ceiling', want(5), { limit: 1, taken: 0 }, { forum: { limit: 1, taken: 0 } }, ['capped']],
  ] as const)('%s', (_name, wanted, run, days, expected) => {
    expect(grants(grantUnits(wanted, run, new Map(Object.entries(days))))).toEqual(expected);
  });

  test('never gives more than the run, the source or the day has left, whatever is asked', () => {
    const unit = fc.integer({ min: 1, max: 50 });
    const allowance = fc.record({
      limit: fc.option(fc.integer({ min: 1, max: 200 })),
      taken: fc.integer({ min: 0, max: 200 }),
    });
    fc.assert(
      fc.property(
        fc.array(fc.record({ source: fc.constantFrom('a', 'b', ALL_SOURCES), units: unit })),
        allowance,
        fc.dictionary(fc.constantFrom('a', 'b', ALL_SOURCES), allowance),
        (asked, run, caps) => {
          const wanted = asked.map((one, id) => ({ id, ...one }));
          const granted = grantUnits(wanted, run, new Map(Object.entries(caps)));
          const started = wanted.filter(({ id }) => granted.get(id) === 'start');
          const fits = (of: Allowance | undefined, source: string | null) => {
            const units = started.filter((one) => source === null || one.source === source);
            const sum = units.reduce((total, one) => total + one.units, 0);
            expect(sum === 0 || (of?.limit ?? null) === null || (of?.taken ?? 0) + sum <= (of?.limit ?? 0)).toBe(true);
          };
          fits(run, null);
          fits(caps[ALL_SOURCES], null);
          fits(caps.a, 'a');
          fits(caps.b, 'b');
        },
      ),
    );
  });
});

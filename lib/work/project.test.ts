import { describe, expect, it } from 'vitest';
import { allotCanary, type Stratum, strataCount } from './canary.ts';
import { type Measured, projectUnits, studentT975 } from './project.ts';

/** The same numbers on every machine (Marsaglia's xorshift, 32 bits). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

type Item = Omit<Measured, 'stratum'>;

/** A normal number from two even ones (Box and Muller). */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Texts whose tokens vary by language, sent with 900 bytes of instructions. */
function itemOf(bytes: number, random: () => number): Item {
  const tokens = (900 + bytes) * 0.25 * Math.exp(0.25 * normal(random));
  return { bytes, units: Math.round(tokens), requestBytes: 900 + bytes, contentBytes: bytes };
}

/** Draws a canary as the database does: quantiles by length, random within each. */
function drawn(sorted: readonly Item[], n: number, random: () => number): { strata: Stratum[]; measured: Measured[] } {
  const quantiles = strataCount(n);
  const slices = Array.from({ length: quantiles }, (_, at) =>
    sorted.slice(Math.floor((at * sorted.length) / quantiles), Math.floor(((at + 1) * sorted.length) / quantiles)),
  );
  const strata = slices.map((items, at) => ({
    stratum: at + 1,
    count: items.length,
    bytes: items.reduce((sum, item) => sum + item.bytes, 0),
  }));
  const allotted = allotCanary(strata, n);
  const measured = slices.flatMap((items, at) => {
    const left = [...items];
    return Array.from({ length: allotted[at] ?? 0 }, () => {
      const [item] = left.splice(Math.floor(random() * left.length), 1);
      if (!item) throw new Error('more drawn than there are');
      return { ...item, stratum: at + 1 };
    });
  });
  return { strata, measured };
}

const LENGTHS = {
  'log-normal lengths': (random: () => number) => Math.round(200 * Math.exp(1.3 * normal(random))),
  'lengths with a Pareto tail': (random: () => number) => Math.round(60 * (1 - random()) ** (-1 / 1.3)),
  'lengths of one size': () => 300,
};

describe('the projection of a run', () => {
  for (const [name, lengthOf] of Object.entries(LENGTHS)) {
    it.each([40, 100])(`holds the true total in about 95 of 100 canaries: ${name}, canary of %i`, (n) => {
      const random = randomFrom(20_261_201 + n);
      const items = Array.from({ length: 4_000 }, () => itemOf(Math.min(200_000, lengthOf(random)), random));
      const sorted = items.sort((a, b) => a.bytes - b.bytes);
      const truth = sorted.reduce((sum, item) => sum + item.units, 0);
      const rounds = 600;
      let inside = 0;
      let sum = 0;
      for (let round = 0; round < rounds; round++) {
        const { strata, measured } = drawn(sorted, n, random);
        const projection = projectUnits(strata, measured);
        if (!projection) throw new Error('a canary of this size projects');
        if (projection.low <= truth && truth <= projection.high) inside++;
        sum += projection.units;
      }
      expect(inside / rounds).toBeGreaterThan(0.92);
      expect(inside / rounds).toBeLessThan(0.985);
      expect(Math.abs(sum / rounds / truth - 1)).toBeLessThan(0.01);
    });
  }

  it('is far closer than rows times a constant where lengths have a tail', () => {
    const random = randomFrom(7);
    const items = Array.from({ length: 4_000 }, () => itemOf(LENGTHS['log-normal lengths'](random), random));
    const sorted = items.sort((a, b) => a.bytes - b.bytes);
    const truth = sorted.reduce((sum, item) => sum + item.units, 0);
    const { strata, measured } = drawn(sorted, 100, random);
    const projection = projectUnits(strata, measured);
    const middle = sorted.slice(1_800, 2_200).reduce((sum, item) => sum + item.units, 0) / 400;
    expect(Math.abs((projection?.units ?? 0) / truth - 1)).toBeLessThan(0.1);
    expect(Math.abs((middle * 4_000) / truth - 1)).toBeGreaterThan(0.15);
  });

  it('says what instructions and context add, weighted as the run is and not as the canary was drawn', () => {
    const random = randomFrom(3);
    const items = Array.from({ length: 2_000 }, () => itemOf(LENGTHS['log-normal lengths'](random), random));
    const sorted = items.sort((a, b) => a.bytes - b.bytes);
    const { strata, measured } = drawn(sorted, 200, random);
    const bytes = sorted.reduce((sum, item) => sum + item.bytes, 0);
    const truth = (900 * 2_000) / (900 * 2_000 + bytes);
    expect(projectUnits(strata, measured)?.overheadShare).toBeCloseTo(truth, 1);
    const asDrawn =
      measured.reduce((sum, one) => sum + one.contentBytes, 0) /
      measured.reduce((sum, one) => sum + one.requestBytes, 0);
    expect(1 - asDrawn).toBeLessThan(truth - 0.1);
  });

  it('is exact where the canary was everything, and never below what was used', () => {
    const one = { stratum: 1, bytes: 10, units: 7, requestBytes: 10, contentBytes: 10 };
    const strata = [{ stratum: 1, count: 2, bytes: 20 }];
    expect(projectUnits(strata, [one, { ...one, units: 9 }])).toMatchObject({
      units: 16,
      low: 16,
      high: 16,
      overheadShare: 0,
    });
    const much = projectUnits([{ stratum: 1, count: 50, bytes: 500 }], [one, { ...one, units: 900 }]);
    expect(much?.low).toBeGreaterThanOrEqual(907);
  });

  it('is not given for one item out of many, nor for none', () => {
    const strata = [{ stratum: 1, count: 50, bytes: 500 }];
    expect(projectUnits(strata, [])).toBeNull();
    expect(projectUnits(strata, [{ stratum: 1, bytes: 1, units: 1, requestBytes: 1, contentBytes: 1 }])).toBeNull();
    expect(projectUnits([], [])).toBeNull();
  });

  it('takes strata without measured items together with their neighbours', () => {
    const strata = [1, 2, 3].map((stratum) => ({ stratum, count: 10, bytes: 100 }));
    const at = (stratum: number) => ({ stratum, bytes: 10, units: 5, requestBytes: 10, contentBytes: 10 });
    expect(projectUnits(strata, [at(1), at(3)])).toMatchObject({ units: 150, low: 150, high: 150 });
  });
});

it.each([
  [1, 12.706],
  [4, 2.776],
  [5, 2.571],
  [10, 2.228],
  [30, 2.042],
  [1e6, 1.96],
])("Student's t with %i degrees of freedom is %f at 97.5 %", (freedom, t) => {
  expect(studentT975(freedom)).toBeCloseTo(t, 2);
});

import { expect, test } from 'vitest';
import { CONTENT_STATUSES, outranks, policyMay, RANKS } from './status.ts';

const POLICY_MAY: Record<string, string[]> = {
  pending: ['published', 'held', 'restricted'],
  published: ['restricted'],
  held: [],
  restricted: [],
  removed: [],
};

test.each(CONTENT_STATUSES.flatMap((from) => CONTENT_STATUSES.map((to) => [from, to] as const)))(
  'a policy only tightens: %s -> %s',
  (from, to) => {
    expect(policyMay(from, to)).toBe(POLICY_MAY[from]?.includes(to) ?? false);
  },
);

test.each(RANKS.flatMap((by, i) => RANKS.map((than, j) => [by, than, i > j] as const)))(
  '%s stands above %s: %s',
  (by, than, above) => {
    expect(outranks(by, than)).toBe(above);
  },
);

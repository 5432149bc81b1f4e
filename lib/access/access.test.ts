import { expect, test } from 'vitest';
import { isRole, may, RIGHTS, type Right, ROLES, type Role } from './roles.ts';

const TABLE: Record<Right, Record<Role, boolean>> = {
  'case.review': { reviewer: true, moderator: true, manager: false, owner: true },
  'case.review_moderator': { reviewer: false, moderator: true, manager: false, owner: true },
  'action.decide': { reviewer: false, moderator: true, manager: false, owner: true },
  'record.reverse': { reviewer: false, moderator: false, manager: false, owner: true },
  'content.read': { reviewer: true, moderator: true, manager: true, owner: true },
  'run.read': { reviewer: false, moderator: false, manager: true, owner: true },
  'run.control': { reviewer: false, moderator: false, manager: true, owner: true },
  'run.spend': { reviewer: false, moderator: false, manager: true, owner: true },
  'quality.read': { reviewer: false, moderator: false, manager: true, owner: true },
  'operations.read': { reviewer: false, moderator: false, manager: true, owner: true },
  'export.read': { reviewer: false, moderator: false, manager: true, owner: true },
};

test('the table of rights names every right', () => {
  expect(RIGHTS.toSorted()).toEqual(Object.keys(TABLE).toSorted());
});

test.each(RIGHTS.flatMap((right) => ROLES.map((role) => [role, right, TABLE[right][role]] as const)))(
  '%s and %s: %s',
  (role, right, expected) => {
    expect(may(role, right)).toBe(expected);
  },
);

test('only the four roles are roles', () => {
  expect(['reviewer', 'moderator', 'manager', 'owner'].every(isRole)).toBe(true);
  expect(['Owner', 'admin', '', 'constructor', '__proto__'].some(isRole)).toBe(false);
});

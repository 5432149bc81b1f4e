/** Who may do what: the one table that every page, action, route and act asks. */

export const ROLES = ['reviewer', 'moderator', 'manager', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Each right and the roles that hold it. That nobody approves what they proposed is no right but a rule about two
 * people, and lives with the act.
 */
const HOLDERS = {
  /** See the queues, open a case, claim it, decide it, set it aside. */
  'case.review': ['reviewer', 'moderator', 'owner'],
  /** The same for cases that were escalated or that answer a reversal. */
  'case.review_moderator': ['moderator', 'owner'],
  /** See proposed enforcement; approve or reject it. */
  'action.decide': ['moderator', 'owner'],
  /** Go back through a rollback record. */
  'record.reverse': ['owner'],
  /** The timeline of one content item. */
  'content.read': ['reviewer', 'moderator', 'manager', 'owner'],
  /** Runs, their progress and reconciliation. */
  'run.read': ['manager', 'owner'],
  /** Pause a run and let it go on. */
  'run.control': ['manager', 'owner'],
  /** Give a run the go after its canary; say how many units it may use and how many calls it may make at a time. */
  'run.spend': ['manager', 'owner'],
  /** Precision of labels; age of the queues; bundles that were published. */
  'quality.read': ['manager', 'owner'],
  'operations.read': ['manager', 'owner'],
  'export.read': ['manager', 'owner'],
} as const satisfies Record<string, readonly Role[]>;

export type Right = keyof typeof HOLDERS;
export const RIGHTS = Object.keys(HOLDERS) as Right[];

/** @returns true where the role holds the right. */
export function may(role: Role, right: Right): boolean {
  return (HOLDERS[right] as readonly Role[]).includes(role);
}

/** @returns true for a word that names a role. */
export function isRole(word: string): word is Role {
  return (ROLES as readonly string[]).includes(word);
}

import type { Command } from './command.ts';
import { command as classifier } from './commands/classifier.ts';
import { command as exportRun } from './commands/export.ts';
import { command as importFiles } from './commands/import.ts';
import { command as policy } from './commands/policy.ts';
import { command as reconcile } from './commands/reconcile.ts';
import { command as requeue } from './commands/requeue.ts';
import { command as run } from './commands/run.ts';
import { command as snapshot } from './commands/snapshot.ts';
import { command as user } from './commands/user.ts';
import { command as verify } from './commands/verify.ts';
import { command as worker } from './commands/worker.ts';

/** Every command that is built, in the order that help lists them. */
export const COMMANDS: readonly Command[] = [
  importFiles,
  snapshot,
  policy,
  classifier,
  user,
  run,
  requeue,
  reconcile,
  exportRun,
  verify,
  worker,
];

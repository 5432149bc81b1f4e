import type { Command } from './command.ts';
import { command as classifier } from './commands/classifier.ts';
import { command as importFiles } from './commands/import.ts';
import { command as policy } from './commands/policy.ts';
import { command as snapshot } from './commands/snapshot.ts';
import { command as user } from './commands/user.ts';

/** Every command that is built, in the order that help lists them. */
export const COMMANDS: readonly Command[] = [importFiles, snapshot, policy, classifier, user];

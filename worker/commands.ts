import type { Command } from './command.ts';
import { command as classifier } from './commands/classifier.ts';
import { command as policy } from './commands/policy.ts';

/** Every command that is built, in the order that help lists them. */
export const COMMANDS: readonly Command[] = [policy, classifier];

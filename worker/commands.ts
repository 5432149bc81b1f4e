import type { Command } from './command.ts';

/** Every command that is built, in the order that help lists them. */
export const COMMANDS: readonly Command[] = [];

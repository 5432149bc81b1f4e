import type { Command } from './command.ts';

/** @returns the lines of `docket help`. */
export function helpText(commands: readonly Command[]): string[] {
  const width = Math.max(0, ...commands.map((command) => command.name.length));
  return [
    'Docket: a moderation desk that can account for itself.',
    '',
    'npm run docket -- COMMAND [OPTIONS]',
    '',
    ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`),
    '',
    '--json prints one JSON object last on stdout. `help COMMAND` shows how a command is used.',
    'Exit 0: done. 1: the answer is no. 2: bad use or bad input.',
  ];
}

/** @returns the lines of `docket help COMMAND`. */
export function commandHelp(command: Command): string[] {
  return [command.summary, '', ...command.usage.map((form) => `  npm run docket -- ${form}`)];
}

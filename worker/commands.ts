import type { Command } from './command.ts';

/** A command by its name; its file is loaded when it is asked for, so that no command waits or pays for the others. */
export type CommandEntry = { readonly name: string; load(): Promise<Command> };

/** Every command that is built, in the order that help lists them. */
export const COMMANDS: readonly CommandEntry[] = [
  { name: 'import', load: async () => (await import('./commands/import.ts')).command },
  { name: 'snapshot', load: async () => (await import('./commands/snapshot.ts')).command },
  { name: 'policy', load: async () => (await import('./commands/policy.ts')).command },
  { name: 'classifier', load: async () => (await import('./commands/classifier.ts')).command },
  { name: 'evaluate', load: async () => (await import('./commands/evaluate.ts')).command },
  { name: 'run', load: async () => (await import('./commands/run.ts')).command },
  { name: 'cap', load: async () => (await import('./commands/cap.ts')).command },
  { name: 'source', load: async () => (await import('./commands/source.ts')).command },
  { name: 'requeue', load: async () => (await import('./commands/requeue.ts')).command },
  { name: 'reconcile', load: async () => (await import('./commands/reconcile.ts')).command },
  { name: 'export', load: async () => (await import('./commands/export.ts')).command },
  { name: 'verify', load: async () => (await import('./commands/verify.ts')).command },
  { name: 'user', load: async () => (await import('./commands/user.ts')).command },
  { name: 'stub', load: async () => (await import('./commands/stub.ts')).command },
  { name: 'worker', load: async () => (await import('./commands/worker.ts')).command },
];

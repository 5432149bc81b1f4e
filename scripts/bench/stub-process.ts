import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { ROOT } from '../paths.mjs';

/** The stub, in a process of its own. */
export type Stub = {
  readonly port: number;
  /** @returns how many answers it gave since it was last asked. */
  answered(): Promise<number>;
  close(): void;
};

export async function startStub(): Promise<Stub> {
  const child = fork(path.join(ROOT, 'scripts', 'bench', 'stub.ts'), [], {
    execArgv: ['--import', 'tsx'],
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [first] = (await once(child, 'message')) as [{ port: number }];
  return {
    port: first.port,
    answered: async () => {
      child.send('how many');
      const [{ answered }] = (await once(child, 'message')) as [{ answered: number }];
      return answered;
    },
    close: () => child.disconnect(),
  };
}

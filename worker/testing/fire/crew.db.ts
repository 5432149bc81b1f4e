import { startWorker, type WorkerProcess } from '../process.ts';
import { EXPIRE_LEASES_OF, LEFT_BY, WORKER_IN_SLOT } from './books.sql.ts';
import type { Scene } from './scene.db.ts';

/** A worker process at work: its number in the scene and its id in the database. */
export type Member = { readonly number: number; readonly workerId: string; readonly process: WorkerProcess };

/** Worker processes that work side by side; who is killed is replaced. */
export type Crew = {
  readonly size: number;
  /** Of those at work now. */
  numbers(): number[];
  /** Starts workers until there are `size` again. */
  fill(): Promise<void>;
  /** Starts one more, with these variables over its own. */
  hire(variables?: Readonly<Record<string, string>>): Promise<Member>;
  /** Asks one to stop. @returns it, for who wants to wait. */
  dismiss(member: Member): Member;
  /** Kills these processes without warning. @returns their ids as workers. @throws where one ended in another way. */
  kill(numbers: readonly number[]): Promise<string[]>;
  /** Asks all to stop, and waits. @throws where one does not end in order. */
  stop(): Promise<void>;
  /** Kills whoever is left, whatever happened. */
  abandon(): void;
};

export function makeCrew(scene: Scene, size: number): Crew {
  const members = new Map<number, Member>();
  const started = new Set<WorkerProcess>();
  const hire = async (variables: Readonly<Record<string, string>> = {}): Promise<Member> => {
    const number = scene.number();
    const process = startWorker({ ...(await scene.environment(number)), ...variables });
    started.add(process);
    const line = await Promise.race([process.said('worker_started'), process.ended]);
    if (line === null || typeof line === 'number') throw new Error('a worker ended before it began');
    const { rows } = await scene.database.pool.query<{ id: string }>(WORKER_IN_SLOT, [line.slot]);
    if (!rows[0]) throw new Error('a worker without its slot');
    const member = { number, workerId: rows[0].id, process };
    members.set(number, member);
    return member;
  };
  return {
    size,
    numbers: () => [...members.keys()],
    fill: async () => {
      await Promise.all(Array.from({ length: size - members.size }, () => hire()));
    },
    hire,
    dismiss: (member) => {
      members.delete(member.number);
      member.process.signal('SIGTERM');
      return member;
    },
    kill: async (numbers) => {
      const victims = numbers.flatMap((number) => members.get(number) ?? []);
      for (const victim of victims) {
        members.delete(victim.number);
        victim.process.signal('SIGKILL');
      }
      for (const { process } of victims) {
        if ((await process.ended) !== null) throw new Error('a worker that was killed had ended before');
        started.delete(process);
      }
      return victims.map((victim) => victim.workerId);
    },
    stop: async () => {
      for (const { process } of members.values()) process.signal('SIGTERM');
      for (const { number, process } of members.values()) {
        if ((await process.ended) !== 0) throw new Error(`worker ${number} did not end in order`);
        started.delete(process);
      }
      members.clear();
    },
    abandon: () => {
      for (const process of started) process.signal('SIGKILL');
    },
  };
}

/** @returns what dead workers left in the database: items they held, and recorded starts without outcome. */
export async function leftBy(scene: Scene, workerIds: readonly string[]): Promise<{ leased: number; started: number }> {
  const { rows } = await scene.database.pool.query<{ leased: number; started: number }>(LEFT_BY, [workerIds]);
  if (!rows[0]) throw new Error('no count');
  return rows[0];
}

/** Time passes for the leases of the dead. */
export async function expireLeasesOf(scene: Scene, workerIds: readonly string[]): Promise<void> {
  await scene.database.pool.query(EXPIRE_LEASES_OF, [workerIds]);
}

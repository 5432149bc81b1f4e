import type { Command } from '../command.ts';
import { jsonLog, silentLog } from '../log.ts';
import { makeWorker } from '../work.ts';

export const command: Command = {
  name: 'worker',
  summary: 'Work on all runs and look after the desk until stopped',
  usage: ['worker'],
  options: {},
  needsDatabase: true,
  run: async (context) => {
    const engine = await makeWorker(context.pool, context.env, context.json ? silentLog() : jsonLog());
    await engine.run(context.signal);
    return { exit: 0, json: { stopped: true, slot: engine.slot }, text: ['stopped; leases are given back'] };
  },
};

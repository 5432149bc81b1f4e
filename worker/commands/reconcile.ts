import { reconcile } from '../../lib/work/reconcile.db.ts';
import { CliError, type Command } from '../command.ts';
import { requireRun } from '../find-run.ts';

export const command: Command = {
  name: 'reconcile',
  summary: 'Count every term of a run apart and say whether the arithmetic closes',
  usage: ['reconcile RUN'],
  options: {},
  needsDatabase: true,
  run: async (context) => {
    const [nameOrId, ...more] = context.positionals;
    if (nameOrId === undefined || more.length > 0) throw new CliError('bad_usage', 'use: reconcile RUN');
    const run = await requireRun(context.pool, nameOrId);
    const { closes, pending, differences, by } = await reconcile(context.pool, run.id);
    const done = closes && pending === 0;
    return {
      exit: done ? 0 : 1,
      json: { run: run.id, name: run.name, closes, pending, differences, by },
      text: [
        closes ? `closes${done ? '' : `, with ${pending} pending`}` : 'DOES NOT CLOSE',
        ...differences.map(
          (one) => `  ${one.source}  ${one.content_type}: ${one.term} expected ${one.expected}, counted ${one.counted}`,
        ),
        ...by.map(
          (slice) =>
            `  ${slice.source}  ${slice.content_type}: ${slice.revisions} = ${slice.decisions} decisions + ${slice.exceptions} exceptions + ${slice.pending} pending`,
        ),
      ],
    };
  },
};

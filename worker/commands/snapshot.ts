import { listSnapshots } from '../../lib/content/snapshot.db.ts';
import { CliError, type Command, type CommandContext, type CommandOutcome } from '../command.ts';

export const command: Command = {
  name: 'snapshot',
  summary: 'List the closed sets of revisions',
  usage: ['snapshot list'],
  options: {},
  needsDatabase: true,
  run,
};

async function run(context: CommandContext): Promise<CommandOutcome> {
  const [verb, ...rest] = context.positionals;
  if (verb !== 'list' || rest.length > 0) throw new CliError('bad_usage', 'usage: docket snapshot list');
  const snapshots = await listSnapshots(context.pool);
  return {
    exit: 0,
    json: {
      snapshots: snapshots.map((snapshot) => ({
        snapshot: snapshot.name,
        snapshot_id: snapshot.id,
        names: snapshot.names,
        sha256: snapshot.sha256,
        revisions: snapshot.revisions,
        created_at: snapshot.createdAt.toISOString(),
      })),
    },
    text:
      snapshots.length === 0
        ? ['no snapshots yet; import a file first']
        : snapshots.map(
            (one) =>
              `${one.names.join(' = ')}  ${one.revisions.toLocaleString('en-US')} revisions  ${one.createdAt.toISOString()}`,
          ),
  };
}

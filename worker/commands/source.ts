import { listSources, type SourceView, setClassifying } from '../../lib/content/switch.db.ts';
import { CliError, type Command, type CommandContext, type CommandOutcome } from '../command.ts';

export const command: Command = {
  name: 'source',
  summary: 'List the sources; pause the classifying of one and let it go on',
  usage: ['source list', 'source pause|resume NAME'],
  options: {},
  needsDatabase: true,
  run: async (context) => {
    const [verb, name, ...more] = context.positionals;
    if (verb === 'list' && name === undefined) return list(context, 0);
    if (name === undefined || more.length > 0) throw usage();
    if (verb === 'pause' || verb === 'resume') return switched(context, name, verb === 'resume');
    throw usage();
  },
};

function usage(): CliError {
  return new CliError('bad_usage', command.usage.map((form) => `use: ${form}`).join('\n'));
}

async function switched(context: CommandContext, source: string, open: boolean): Promise<CommandOutcome> {
  const done = await setClassifying(context.pool, { source, open, actor: 'cli' });
  if (done.ok) return list(context, 0);
  if (done.refusal === 'unknown_source') {
    throw new CliError('unknown_source', 'there is no source of this name; see `docket source list`');
  }
  const no = await list(context, 1, { refused: done.refusal });
  return { ...no, text: [`not done: it is ${open ? 'not paused' : 'paused already'}`, ...no.text] };
}

async function list(context: CommandContext, exit: 0 | 1, more: object = {}): Promise<CommandOutcome> {
  const sources = await listSources(context.pool);
  return {
    exit,
    json: {
      sources: sources.map((one) => ({
        source: one.source,
        kind: one.kind,
        classifying: one.classifyingOpen ? 'open' : 'paused',
        enforcement: one.enforcementOpen ? 'open' : 'closed',
        governing: one.governing,
      })),
      ...more,
    },
    text: sources.length === 0 ? ['no sources yet; import a file first'] : sources.map(sourceText),
  };
}

function sourceText({ source, kind, classifyingOpen, governing }: SourceView): string {
  const governed = governing.length === 0 ? 'no policy governs it' : `governed by ${governing.join(', ')}`;
  return `${source}  ${kind}  ${classifyingOpen ? 'classifying' : 'classifying is paused'}  ${governed}`;
}

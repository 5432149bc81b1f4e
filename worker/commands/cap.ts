import { UNITS_BOUNDS } from '../../lib/work/budget.db.ts';
import { type CapRefusal, type CapView, listCaps, removeCap, setCap } from '../../lib/work/caps.db.ts';
import { ALL_SOURCES } from '../../lib/work/units.ts';
import { CliError, type Command, type CommandContext, type CommandOutcome, textOption } from '../command.ts';

export const command: Command = {
  name: 'cap',
  summary: 'Say what one day may cost, for one source or for everything together',
  usage: ['cap set UNITS [--source NAME]', 'cap list', 'cap remove [--source NAME]'],
  options: { source: { type: 'string' } },
  needsDatabase: true,
  run: async (context) => {
    const [verb, units, ...more] = context.positionals;
    const source = textOption(context, 'source') ?? ALL_SOURCES;
    if (verb === 'set' && units !== undefined && more.length === 0) {
      return changed(context, await setCap(context.pool, { source, units: unitsOf(units), actor: 'cli' }));
    }
    if (units !== undefined) throw usage();
    if (verb === 'list') return list(context, 0);
    if (verb === 'remove') return changed(context, await removeCap(context.pool, { source, actor: 'cli' }));
    throw usage();
  },
};

function usage(): CliError {
  return new CliError('bad_usage', command.usage.map((form) => `use: ${form}`).join('\n'));
}

function unitsOf(text: string): number {
  const { min, max } = UNITS_BOUNDS;
  const units = /^[0-9]{1,13}$/.test(text) ? Number(text) : Number.NaN;
  if (units >= min && units <= max) return units;
  throw new CliError('bad_option', `a cap is a whole number of units from ${min} to ${max}`);
}

const REFUSALS: Record<CapRefusal, string> = {
  unknown_source: 'there is no source of this name; see `docket source list`',
  no_cap: 'there is no such cap',
};

async function changed(context: CommandContext, done: Awaited<ReturnType<typeof setCap>>): Promise<CommandOutcome> {
  if (!done.ok) {
    if (done.refusal === 'unknown_source') throw new CliError(done.refusal, REFUSALS[done.refusal]);
    const no = await list(context, 1, { refused: done.refusal });
    return { ...no, text: [`not done: ${REFUSALS[done.refusal]}`, ...no.text] };
  }
  const freed = done.value === 0 ? [] : [`items that are due again at once: ${done.value}`];
  const yes = await list(context, 0, { due_again: done.value });
  return { ...yes, text: [...freed, ...yes.text] };
}

async function list(context: CommandContext, exit: 0 | 1, more: object = {}): Promise<CommandOutcome> {
  const caps = await listCaps(context.pool);
  return {
    exit,
    json: { caps: caps.map(capJson), ...more },
    text: caps.length === 0 ? ['no caps: a day may cost what it costs'] : caps.map(capText),
  };
}

function capJson(cap: CapView): object {
  return {
    source: cap.source,
    daily_units: cap.dailyUnits,
    used_today: cap.used,
    reserved: cap.reserved,
    resets_at: cap.resetsAt.toISOString(),
    set_by: cap.setBy,
    set_at: cap.setAt.toISOString(),
  };
}

function capText(cap: CapView): string {
  const name = cap.source === ALL_SOURCES ? 'all together' : cap.source;
  const reserved = cap.reserved > 0 ? `, ${cap.reserved} reserved` : '';
  return `${name}: ${cap.used} of ${cap.dailyUnits} units used today${reserved}; a new day begins ${cap.resetsAt.toISOString()}`;
}

import { randomBytes } from 'node:crypto';
import { isRole, ROLES } from '../../lib/access/roles.ts';
import { type CreateUserRefusal, createUser } from '../../lib/access/users.db.ts';
import { CliError, type Command, type CommandContext, type CommandOutcome, flag, textOption } from '../command.ts';

/** Bytes of randomness in a password that we make. */
const PASSWORD_BYTES = 18;

const REFUSALS: Readonly<Record<CreateUserRefusal, string>> = {
  email_taken: 'there is already an account with this e-mail address',
  bad_email: 'this is no e-mail address',
  bad_name: 'a name has 1 to 200 characters',
  password_too_short: 'the password is too short; at least 10 characters',
  password_too_long: 'the password is too long',
};

export const command: Command = {
  name: 'user',
  summary: 'Make an account',
  usage: [`user add EMAIL --role ${ROLES.join('|')} [--name NAME] [--password-stdin]`],
  options: { role: { type: 'string' }, name: { type: 'string' }, 'password-stdin': { type: 'boolean' } },
  needsDatabase: true,
  run,
};

async function run(context: CommandContext): Promise<CommandOutcome> {
  const [verb, email, ...rest] = context.positionals;
  if (verb !== 'add' || email === undefined || rest.length > 0) {
    throw new CliError('bad_usage', `usage: docket ${command.usage[0]}`);
  }
  const role = textOption(context, 'role');
  if (role === undefined || !isRole(role)) throw new CliError('bad_option', `--role takes one of: ${ROLES.join(', ')}`);
  const given = flag(context, 'password-stdin') ? firstLine(await context.stdin()) : null;
  const password = given ?? randomBytes(PASSWORD_BYTES).toString('base64url');
  const name = textOption(context, 'name') ?? email.split('@', 1)[0] ?? '';
  const created = await createUser(context.pool, { email, name, role, password, actor: 'cli' });
  if (!created.ok) throw new CliError(created.refusal, REFUSALS[created.refusal]);
  const { id, email: stored } = created.value;
  return {
    exit: 0,
    // A password we made is shown this once and is nowhere else.
    json: { user: id, email: stored, role, ...(given === null ? { password } : {}) },
    text: [`${stored} is a ${role}`, ...(given === null ? [`password (shown only now): ${password}`] : [])],
  };
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? '';
}

import path from 'node:path';
import type { Problem } from '../../lib/exports/problem.ts';
import { verifyBundle } from '../../lib/exports/verify.fs.ts';
import { CliError, type Command, textOption } from '../command.ts';

const SHA256 = /^[0-9a-f]{64}$/;

export const command: Command = {
  name: 'verify',
  summary: 'Check a bundle and trust nothing of it; needs no database',
  usage: ['verify DIR [--manifest-sha256 HASH]'],
  options: { 'manifest-sha256': { type: 'string' } },
  needsDatabase: false,
  run: async (context) => {
    const [folder, ...more] = context.positionals;
    if (folder === undefined || more.length > 0) throw new CliError('bad_usage', `use: ${command.usage[0]}`);
    const expected = textOption(context, 'manifest-sha256');
    if (expected !== undefined && !SHA256.test(expected)) {
      throw new CliError('bad_option', '--manifest-sha256 takes the hash that export printed: 64 hexadecimal digits');
    }
    const known = expected === undefined ? undefined : { manifestSha256: expected };
    const found = await verifyBundle(path.resolve(context.cwd, folder), known).catch((thrown: unknown) => {
      const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
      if (!/^E[A-Z]+$/.test(code)) throw thrown;
      throw new CliError('cannot_read', `there is no bundle to read there (${code})`);
    });
    const { ok, problems, problemCount, manifestSha256, rows, exceptions, manifest } = found;
    return {
      exit: ok ? 0 : 1,
      json: {
        ok,
        problems,
        problem_count: problemCount,
        export_id: manifest?.export_id ?? null,
        rows,
        exceptions,
        manifest_sha256: manifestSha256,
      },
      text: ok
        ? [`sound: ${rows} decisions, ${exceptions} exceptions`, `manifest_sha256 ${manifestSha256}`]
        : [
            `NOT SOUND: ${problemCount} ${problemCount === 1 ? 'problem' : 'problems'}`,
            ...problems.slice(0, SHOWN).map(problemText),
            ...(problemCount > SHOWN ? [`  and ${problemCount - SHOWN} more`] : []),
          ],
    };
  },
};

/** Problems shown to people; --json lists up to a thousand. */
const SHOWN = 20;

function problemText({ code, file, line, what, expected, found }: Problem): string {
  const place = line === null ? file : `${file} line ${line}`;
  const values = expected === undefined ? '' : `: expected ${expected}, found ${found}`;
  return `  ${code}  ${place}${what === undefined ? '' : `  ${what}`}${values}`;
}

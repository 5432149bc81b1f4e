import path from 'node:path';
import type { ExportStage } from '../../lib/exports/build.db.ts';
import { type ExportRefusal, exportRun } from '../../lib/exports/export-run.db.ts';
import { PURPOSE_LENGTH_MAX } from '../../lib/exports/purpose.ts';
import type { Refused } from '../../lib/kernel/result.ts';
import { CliError, type Command, type CommandContext, type CommandOutcome, flag, textOption } from '../command.ts';
import { docketCommit } from '../commit.ts';
import { DOCKET_VERSION } from '../version.ts';

export const command: Command = {
  name: 'export',
  summary: 'Publish a finished run as a bundle of files that can be verified',
  usage: ['export RUN --out DIR [--gzip] [--with-text --purpose WHY]'],
  options: {
    out: { type: 'string' },
    gzip: { type: 'boolean' },
    'with-text': { type: 'boolean' },
    purpose: { type: 'string' },
  },
  needsDatabase: true,
  run: async (context) => {
    const [run, ...more] = context.positionals;
    const out = textOption(context, 'out');
    if (run === undefined || more.length > 0 || !out) throw new CliError('bad_usage', `use: ${command.usage[0]}`);
    const result = await exportRun(context.pool, {
      run,
      outFolder: path.resolve(context.cwd, out),
      gzip: flag(context, 'gzip'),
      purpose: purposeOf(context),
      actor: 'cli',
      docket: { version: DOCKET_VERSION, commit: await docketCommit(context.env.commit) },
      signal: context.signal,
      onStage: (stage) => context.progress(progressText(stage)),
    }).catch((thrown: unknown) => {
      throw diskError(thrown) ?? thrown;
    });
    if (!result.ok) return no(run, result);
    const one = result.value;
    return {
      exit: 0,
      json: {
        export_id: one.exportId,
        path: one.path,
        rows: one.rows,
        exceptions: one.exceptions,
        manifest_sha256: one.manifestSha256,
        supersedes: one.supersedes,
        mended: one.mended,
      },
      text: [
        ...(one.mended
          ? ['an earlier export had been cut off after its bundle was finished; it is published now']
          : []),
        `${one.exportId}: ${one.rows} decisions, ${one.exceptions} exceptions`,
        one.path,
        `manifest_sha256 ${one.manifestSha256}`,
        ...(one.supersedes === null ? [] : [`supersedes ${one.supersedes}`]),
      ],
    };
  },
};

/** Text and its purpose come together or not at all. */
function purposeOf(context: CommandContext): string | null {
  const withText = flag(context, 'with-text');
  const purpose = textOption(context, 'purpose');
  if (withText === (purpose !== undefined)) return purpose ?? null;
  if (withText) throw new CliError('purpose_missing', 'text is exported only for a purpose: add --purpose WHY');
  throw new CliError('bad_usage', '--purpose says why text is exported: add --with-text');
}

function progressText(stage: ExportStage): string {
  if (stage.stage === 'rows') return `${stage.written} of ${stage.of} rows`;
  return {
    before_manifest: 'rows written',
    built: 'verifying',
    verified: 'verified',
    renamed: 'in place',
    published: '',
  }[stage.stage];
}

const DISK_ERRORS = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'ENOTDIR',
  'ENAMETOOLONG',
  'EIO',
  'EMFILE',
]);

function diskError(thrown: unknown): CliError | null {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (!DISK_ERRORS.has(code)) return null;
  return new CliError('cannot_write', `the bundle cannot be written there (${code}); nothing was published`);
}

/** A run that cannot be exported is an answer (exit 1); words that make no sense are bad use (exit 2). */
function no(run: string, { refusal, detail = {} }: Refused<ExportRefusal>): CommandOutcome {
  if (refusal === 'unknown_run') throw new CliError(refusal, `there is no run "${run}"`);
  if (refusal === 'bad_purpose') {
    throw new CliError(refusal, `a purpose is one line of 1 to ${PURPOSE_LENGTH_MAX} characters`);
  }
  const why = {
    pending_work: `${detail.pending} pending and ${detail.leased} leased of its items have neither decision nor exception yet; the run is ${detail.state}${detail.pause_reason ? ` (${detail.pause_reason})` : ''}`,
    export_running: 'another export of this run is at work',
    does_not_reconcile: `the run does not reconcile: ${detail.source} ${detail.content_type}, ${detail.term} expected ${detail.expected}, counted ${detail.counted}; see docket reconcile`,
    totals_differ: `the rows are not those that were counted: ${detail.what} expected ${detail.expected}, found ${detail.found}`,
    not_sound: `the finished rows do not verify: ${detail.problems} problems, first ${detail.code} in ${detail.file}${detail.line === null ? '' : ` line ${detail.line}`}`,
  }[refusal];
  return { exit: 1, json: { refused: refusal, ...detail, message: why }, text: [`not exported: ${why}`] };
}

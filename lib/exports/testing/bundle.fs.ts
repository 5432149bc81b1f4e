import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { canonicalJson, canonicalSha256 } from '../../kernel/canonical.ts';
import { sha256Hex } from '../../kernel/hash.ts';
import { decisionId } from '../../kernel/keys.ts';
import { compareBytes } from '../../kernel/text.ts';
import { FILE_NAMES, type ManifestBody, SCHEMA_VERSION, writeManifest } from '../manifest.ts';
import type { BundleRow, DecisionRow, ExceptionRow } from '../row.ts';
import { makeTally } from '../tally.ts';
import { beginRowFile } from '../write-file.fs.ts';

/** Bundles made by hand for the tests of `verify`: small, sound, and easy to break. */

export const EXPORT_ID = 'exp_00000000-0000-4000-8000-000000000001';
const AT = '2026-11-30T10:00:00.000Z';

export type Bundle = {
  readonly manifest: ManifestBody;
  readonly decisions: DecisionRow[];
  readonly exceptions: ExceptionRow[];
};

type Item = { readonly contentId: string; readonly revision: string; readonly text: string };

function common(item: Item) {
  return {
    decision_id: decisionId(item.contentId, item.revision, 'forum@1'),
    content_id: item.contentId,
    content_type: item.contentId.startsWith('p') ? ('post' as const) : ('comment' as const),
    source: item.contentId.length % 2 ? 'forum/a' : 'forum/b',
    revision: item.revision,
    text_sha256: sha256Hex(item.text),
    input_sha256: canonicalSha256({ text: item.text }),
    policy_version: 'forum@1',
    review: null,
    export_id: EXPORT_ID,
  };
}

export function decisionRow(item: Item, verdict: DecisionRow['verdict'] = 'allow'): DecisionRow {
  const spam = { allow: 0.1, review: 0.5, restrict: 0.95 }[verdict];
  const rule = verdict === 'restrict' ? 'restrictAt' : 'reviewAt';
  return {
    ...common(item),
    prompt_sha256: sha256Hex('prompt'),
    contract_version: 'scores/1',
    classifier: 'builtin',
    model: sha256Hex('model'),
    classification: { scores: { spam, threat: 1e-7, hate: null } },
    verdict,
    because:
      verdict === 'allow' ? [] : [{ label: 'spam', score: spam, threshold: rule === 'reviewAt' ? 0.4 : 0.9, rule }],
    attempts: 1,
    attempt_lineage: [{ number: 1, at: AT, outcome: 'ok' }],
    committed_at: AT,
    effect: 'none',
    enforcement: null,
  };
}

export function exceptionRow(item: Item): ExceptionRow {
  return { ...common(item), attempts: 0, attempt_lineage: [], code: 'no_text', failed_at: AT };
}

/** @returns a sound bundle over these rows, in order, with totals and the snapshot's hash counted from them. */
export function bundleOf(decisions: DecisionRow[], exceptions: ExceptionRow[]): Bundle {
  const all = [...decisions, ...exceptions].sort(byKey);
  const tally = makeTally();
  for (const row of [...decisions, ...exceptions]) tally.add(row);
  const hash = createHash('sha256');
  for (const row of all) hash.update(`${row.content_id}\0${row.revision}\0${row.input_sha256}\n`);
  const empty = { bytes: 0, rows: 0, sha256: sha256Hex('') };
  return {
    decisions: [...decisions].sort(byKey),
    exceptions: [...exceptions].sort(byKey),
    manifest: {
      schema_version: SCHEMA_VERSION,
      export_id: EXPORT_ID,
      snapshot: { name: 'small', id: '11111111-1111-4111-8111-111111111111', sha256: hash.digest('hex') },
      run: 'small',
      mode: 'hold',
      policy_version: 'forum@1',
      policy_sha256: sha256Hex('policy'),
      prompt_sha256: sha256Hex('prompt'),
      contract_version: 'scores/1',
      created_at: AT,
      supersedes: null,
      audit_head: null,
      docket: { version: '0.1.0', commit: null },
      files: [
        { name: FILE_NAMES.decision.plain, ...empty },
        { name: FILE_NAMES.exception.plain, ...empty },
      ],
      control_totals: tally.totals() as ManifestBody['control_totals'],
    },
  };
}

function byKey(a: BundleRow, b: BundleRow): number {
  return compareBytes(a.content_id, b.content_id) || compareBytes(a.revision, b.revision);
}

/** A small bundle with every kind of row. */
export function goodBundle(): Bundle {
  const item = (contentId: string, revision = '1'): Item => ({ contentId, revision, text: `text of ${contentId}` });
  return bundleOf(
    [
      decisionRow(item('A')),
      decisionRow(item('a', '01')),
      { ...decisionRow(item('a', '1'), 'review'), review: review('allow') },
      {
        ...decisionRow(item('p-2'), 'restrict'),
        effect: 'applied',
        enforcement: { action: 'hide', state: 'applied', at: AT },
      },
      { ...decisionRow(item('p-3')), deduplicated: true },
      decisionRow(item('～')),
      decisionRow(item('😀'), 'review'),
    ],
    [
      exceptionRow(item('a', '2')),
      { ...exceptionRow(item('b')), review: review('restrict') },
      exceptionRow(item('p-1')),
    ],
  );
}

function review(verdict: 'allow' | 'restrict') {
  return { verdict, labels: ['spam'], reason: 'spam', role: 'reviewer' as const, at: AT };
}

/** Writes a bundle with the right sizes and hashes for whatever its rows are; a broken bundle stays broken by its rows. */
export async function writeBundle(
  folder: string,
  bundle: Bundle,
  { gzip = false, manifest }: { gzip?: boolean; manifest?: (body: ManifestBody) => ManifestBody } = {},
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const kind = gzip ? 'gzip' : 'plain';
  const files = await Promise.all(
    (
      [
        ['decision', bundle.decisions],
        ['exception', bundle.exceptions],
      ] as const
    ).map(async ([of, rows]) => {
      const name = FILE_NAMES[of][kind];
      const file = await beginRowFile(path.join(folder, name), gzip);
      for (const row of rows) await file.write(`${canonicalJson(row)}\n`, 1);
      return { name, ...(await file.finish()) };
    }),
  );
  const body = { ...bundle.manifest, files: files as ManifestBody['files'] };
  await writeFile(path.join(folder, 'manifest.json'), writeManifest(manifest ? manifest(body) : body));
}

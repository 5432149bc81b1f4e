import { z } from 'zod';
import { canonicalJson, canonicalSha256 } from '../kernel/canonical.ts';
import { parseJson, plainJson } from '../kernel/json.ts';
import { compareBytes } from '../kernel/text.ts';
import { contentTypeSchema, exportIdSchema, instantSchema, policyVersionSchema, sha256Schema } from './row.ts';

/** The manifest of a bundle: what it holds, how much of it, and the hashes of it. Written last. */

export const SCHEMA_VERSION = 'docket.export/1';
export const MANIFEST_NAME = 'manifest.json';

/** The files a bundle may hold besides its manifest, by what they carry. A closed list: no path can come from outside. */
export const FILE_NAMES = {
  decision: { plain: 'decisions.ndjson', gzip: 'decisions.ndjson.gz' },
  exception: { plain: 'exceptions.ndjson', gzip: 'exceptions.ndjson.gz' },
} as const;

const count = z.int().min(0);

const fileSchema = z.strictObject({
  name: z.enum([
    FILE_NAMES.decision.plain,
    FILE_NAMES.decision.gzip,
    FILE_NAMES.exception.plain,
    FILE_NAMES.exception.gzip,
  ]),
  /** Of the file as it lies on disk. */
  bytes: count,
  rows: count,
  /** Over the bytes as they lie on disk. */
  sha256: sha256Schema,
});
export type ManifestFile = z.infer<typeof fileSchema>;

const lineSchema = z.strictObject({
  source: z.string().min(1),
  content_type: contentTypeSchema,
  revisions: count,
  decisions: count,
  exceptions: count,
  allow: count,
  review: count,
  restrict: count,
});

const bodySchema = z.strictObject({
  schema_version: z.literal(SCHEMA_VERSION),
  export_id: exportIdSchema,
  snapshot: z.strictObject({ name: z.string().min(1), id: z.uuid(), sha256: sha256Schema }),
  run: z.string().min(1),
  mode: z.enum(['record', 'hold', 'enforce']),
  policy_version: policyVersionSchema,
  policy_sha256: sha256Schema,
  prompt_sha256: sha256Schema,
  contract_version: z.string().min(1),
  created_at: instantSchema,
  supersedes: exportIdSchema.nullable(),
  audit_head: z.strictObject({ seq: count, sha256: sha256Schema }).nullable(),
  docket: z.strictObject({
    version: z.string().min(1),
    commit: z
      .string()
      .regex(/^[0-9a-f]{7,64}$/)
      .nullable(),
  }),
  files: z.tuple([fileSchema, fileSchema]),
  control_totals: z.strictObject({
    revisions: count,
    decisions: count,
    deduplicated: count,
    exceptions: count,
    by: z.array(lineSchema),
  }),
  /** There exactly where the rows carry text: why it was exported. */
  purpose: z.string().min(1).optional(),
});

const manifestSchema = bodySchema.extend({
  /**
   * SHA-256 over the RFC 8785 form of all other members, so that no member of the manifest changes unseen. Ours always
   * have it; a bundle of another program may not.
   */
  self_sha256: sha256Schema.optional(),
});

export type ManifestBody = z.infer<typeof bodySchema>;
export type Manifest = z.infer<typeof manifestSchema>;

/** @returns the text of manifest.json: RFC 8785 and one LF. */
export function writeManifest(body: ManifestBody): string {
  return `${canonicalJson({ ...body, self_sha256: canonicalSha256(body) })}\n`;
}

export type ManifestRead =
  | { readonly ok: true; readonly manifest: Manifest; readonly selfSha256: string; readonly canonical: boolean }
  | { readonly ok: false; readonly what: string };

/**
 * Reads the text of manifest.json, strictly: every member known, the two files in their order and of one kind, the
 * lines of the totals sorted.
 * @returns the manifest, the hash that its members really have, and whether the text is RFC 8785 and one LF (where it
 * is not, the members can still be checked, and whoever reads the problems learns more); or which rule failed.
 */
export function readManifest(text: string): ManifestRead {
  const parsed = parseJson(text);
  if (!parsed.ok) return { ok: false, what: parsed.fault };
  const value = plainJson(parsed.value);
  const form = canonicalOrNull(value);
  const canonical = form !== null && text === `${form}\n`;
  const read = manifestSchema.safeParse(value);
  if (!read.success) return { ok: false, what: read.error.issues[0]?.path.join('.') || 'members' };
  const { self_sha256: _, ...body } = read.data;
  const [first, second] = body.files;
  const plain = first.name === FILE_NAMES.decision.plain && second.name === FILE_NAMES.exception.plain;
  const gzip = first.name === FILE_NAMES.decision.gzip && second.name === FILE_NAMES.exception.gzip;
  if (!plain && !gzip) return { ok: false, what: 'files' };
  if (body.supersedes === body.export_id) return { ok: false, what: 'supersedes' };
  if (!linesSorted(body.control_totals.by)) return { ok: false, what: 'control_totals.by' };
  return { ok: true, manifest: read.data, selfSha256: canonicalSha256(body), canonical };
}

/** @returns the RFC 8785 text, or null for a value that has none (a lone surrogate, a number beyond all bounds). */
export function canonicalOrNull(value: unknown): string | null {
  try {
    return canonicalJson(value);
  } catch {
    return null;
  }
}

function linesSorted(lines: readonly { source: string; content_type: string }[]): boolean {
  return lines.every((line, i) => {
    const before = lines[i - 1];
    if (!before) return true;
    const order = compareBytes(before.source, line.source) || compareBytes(before.content_type, line.content_type);
    return order < 0;
  });
}

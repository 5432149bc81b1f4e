import { z } from 'zod';
import { BUCKET_COUNT, FEATURES_VERSION } from './features.ts';
import type { Calibration, Head } from './trainer.ts';

/*
 * The weights file: 8 bytes of magic, format version and header length (both uint32, little endian), the header as
 * JSON, zeros up to a multiple of 8, then one signed byte for each bucket and label, the labels of a bucket together.
 * Nothing may follow.
 */
const MAGIC = 'DKTNGRAM';
const FORMAT_VERSION = 1;
const PREFIX_BYTES = 16;
const ALIGN_BYTES = 8;
const MAX_HEADER_BYTES = 65_536;
const LEVELS = 127;

const headSchema = z.strictObject({
  label: z.string().regex(/^[a-z][a-z_]{0,63}$/),
  scale: z.number().nonnegative(),
  bias: z.number(),
  slope: z.number(),
  intercept: z.number(),
});

const headerSchema = z
  .strictObject({
    features: z.string(),
    bucketCount: z.int().positive(),
    heads: z.array(headSchema).min(1).max(64),
  })
  .refine(({ heads }) => new Set(heads.map((head) => head.label)).size === heads.length, 'a label occurs twice');

/** A label of a model: what its bytes are multiplied with, where it starts and how its logit becomes a probability. */
export type ModelHead = z.infer<typeof headSchema>;

export interface NgramModel {
  readonly heads: readonly ModelHead[];
  readonly bucketCount: number;
  /** The stored bytes, the labels of a bucket together. */
  readonly bytes: Int8Array;
}

/**
 * A stored byte as a share of its label's scale. The square keeps small weights, of which there are most, finer than
 * large ones: sixteen thousand steps at the bottom for the price of a byte.
 */
export function shareOfByte(byte: number): number {
  const share = byte / LEVELS;
  return share * Math.abs(share);
}

function byteOfShare(share: number): number {
  return Math.sign(share) * Math.round(LEVELS * Math.sqrt(Math.abs(share)));
}

/** Packs trained heads into a model of one byte a weight; the largest weight of a label sets its scale. */
export function quantise(
  labelled: readonly { label: string; head: Head; calibration: Calibration }[],
  bucketCount: number,
): NgramModel {
  const bytes = new Int8Array(bucketCount * labelled.length);
  const heads = labelled.map(({ label, head, calibration }, at) => {
    let scale = 0;
    for (const weight of head.weights) scale = Math.max(scale, Math.abs(weight));
    if (scale > 0) {
      for (let bucket = 0; bucket < bucketCount; bucket += 1) {
        bytes[bucket * labelled.length + at] = byteOfShare((head.weights[bucket] ?? 0) / scale);
      }
    }
    return { label, scale, bias: head.bias, ...calibration };
  });
  return { heads, bucketCount, bytes };
}

/** How texts are read for a model: its weights mean nothing to another reading. */
export type Reading = { readonly features: string; readonly bucketCount: number };
const SCORES_READING: Reading = { features: FEATURES_VERSION, bucketCount: BUCKET_COUNT };

/** The model as the bytes of a weights file; the same model gives the same bytes. */
export function serialiseModel(model: NgramModel, { features }: Reading = SCORES_READING): Uint8Array {
  const header = new TextEncoder().encode(
    JSON.stringify({ features, bucketCount: model.bucketCount, heads: model.heads }),
  );
  const bodyAt = Math.ceil((PREFIX_BYTES + header.length) / ALIGN_BYTES) * ALIGN_BYTES;
  const file = new Uint8Array(bodyAt + model.bytes.length);
  file.set(new TextEncoder().encode(MAGIC));
  const view = new DataView(file.buffer);
  view.setUint32(8, FORMAT_VERSION, true);
  view.setUint32(12, header.length, true);
  file.set(header, PREFIX_BYTES);
  file.set(new Uint8Array(model.bytes.buffer, model.bytes.byteOffset, model.bytes.length), bodyAt);
  return file;
}

function parseHeader(file: Uint8Array, headerBytes: number): z.infer<typeof headerSchema> {
  let json: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(
      file.subarray(PREFIX_BYTES, PREFIX_BYTES + headerBytes),
    );
    json = JSON.parse(text);
  } catch {
    throw new Error('weights file: the header is not JSON');
  }
  const header = headerSchema.safeParse(json);
  if (!header.success) {
    const issue = header.error.issues[0];
    throw new Error(`weights file: bad header at ${issue?.path.join('.') || 'top'}: ${issue?.message ?? 'invalid'}`);
  }
  return header.data;
}

/**
 * Reads a weights file.
 *
 * @param reading that the program has; the scores model's unless it is said
 * @throws an Error that says what is wrong: no weights file, another format or feature version, a header that does not
 * hold what it must, bytes missing or left over
 */
export function parseModel(file: Uint8Array, reading: Reading = SCORES_READING): NgramModel {
  if (file.length < PREFIX_BYTES) throw new Error('weights file: too short');
  if (new TextDecoder('latin1').decode(file.subarray(0, 8)) !== MAGIC) throw new Error('weights file: wrong magic');
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const version = view.getUint32(8, true);
  if (version !== FORMAT_VERSION) throw new Error(`weights file: format version ${version} is not ${FORMAT_VERSION}`);
  const headerBytes = view.getUint32(12, true);
  if (headerBytes > MAX_HEADER_BYTES || PREFIX_BYTES + headerBytes > file.length) {
    throw new Error('weights file: the header does not fit');
  }
  const { features, bucketCount, heads } = parseHeader(file, headerBytes);
  if (features !== reading.features) {
    throw new Error(`weights file: trained on ${features.slice(0, 64)}, this program reads ${reading.features}`);
  }
  if (bucketCount !== reading.bucketCount) {
    throw new Error(`weights file: ${bucketCount} buckets, expected ${reading.bucketCount}`);
  }
  const bodyAt = Math.ceil((PREFIX_BYTES + headerBytes) / ALIGN_BYTES) * ALIGN_BYTES;
  const expected = bodyAt + bucketCount * heads.length;
  if (file.length !== expected) throw new Error(`weights file: ${file.length} bytes, expected ${expected}`);
  // A file read from disk may be a view into a larger buffer: copy by offset, never by its `buffer` alone.
  const bytes = new Int8Array(file.buffer, file.byteOffset + bodyAt, bucketCount * heads.length).slice();
  return { heads, bucketCount, bytes };
}

import { z } from 'zod';
import { parseJson, plainJson } from '../kernel/json.ts';
import { refused } from '../kernel/result.ts';
import { hasAnyControl } from '../kernel/text.ts';
import type { PolicyDocument } from '../policy/schema.ts';

/** The operator's classifiers file: where classifiers are and what they serve. Nobody else names an address. */

export const BUILTIN_NAME = 'builtin';
export const CONCURRENCY_DEFAULT = 8;
/** As many calls at once as a run may ask for. */
export const CONCURRENCY_MAX = 512;
export const DEADLINE_DEFAULT_MS = 25_000;
/** Half a lease is 30 s; a call must be over before, or its answer comes to nobody. */
export const DEADLINE_MAX_MS = 29_000;

const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/, 'is not a name')
  .refine((text) => text !== BUILTIN_NAME, 'is reserved: builtin is always there');
const word = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => !hasAnyControl(text), 'holds a control character');

const entry = z.strictObject({
  name,
  adapter: z.enum(['openai-chat', 'openai-moderation', 'text-classification', 'http-json']),
  base_url: z.string().max(2_000),
  model: word,
  api_key_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'is not the name of a variable')
    .optional(),
  params: z.record(z.string(), z.json()).optional(),
  concurrency: z.int().min(1).max(CONCURRENCY_MAX).optional(),
  deadline_ms: z.int().min(100).max(DEADLINE_MAX_MS).optional(),
  price_per_million_units: z.number().min(0).optional(),
  preset: z.enum(['llama-guard', 'shieldgemma', 'safeguard']).optional(),
  /** Plain http to a host other than this machine; for networks that the operator trusts. */
  allow_http: z.boolean().optional(),
});
const file = z.strictObject({ classifiers: z.array(entry).max(100) });

/** One classifier as the operator describes it. */
export type ClassifierEntry = z.infer<typeof entry>;
export type ReadClassifiers =
  | { readonly ok: true; readonly value: readonly ClassifierEntry[] }
  | {
      readonly ok: false;
      readonly refusal: 'invalid_json' | 'invalid_classifiers';
      readonly faults: readonly string[];
    };

/**
 * Reads the classifiers file.
 * @returns its entries, or what is wrong and where; never a value from the file.
 */
export function readClassifiers(text: string): ReadClassifiers {
  const json = parseJson(text);
  if (!json.ok) {
    const line = text.slice(0, json.at).split('\n').length;
    return { ok: false, refusal: 'invalid_json', faults: [`${json.fault.replace('_', ' ')} in line ${line}`] };
  }
  const read = file.safeParse(plainJson(json.value));
  if (!read.success) return { ok: false, refusal: 'invalid_classifiers', faults: read.error.issues.map(faultOf) };
  const { classifiers } = read.data;
  const faults = classifiers.flatMap((each, at) => [
    ...(classifiers.findIndex((other) => other.name === each.name) < at
      ? [`classifiers.${at}.name is there twice`]
      : []),
    ...(each.preset !== undefined && each.adapter !== 'openai-chat'
      ? [`classifiers.${at}.preset is for openai-chat alone`]
      : []),
    ...addressFaults(each).map((fault) => `classifiers.${at}.base_url ${fault}`),
  ]);
  return faults.length > 0 ? { ok: false, refusal: 'invalid_classifiers', faults } : { ok: true, value: classifiers };
}

function faultOf(issue: z.core.$ZodIssue): string {
  return `${issue.path.map(String).join('.')} ${issue.message}`.trim();
}

/** A key in an address would end in logs; a query or fragment would be lost; plain http shows text to the network. */
function addressFaults({ base_url, allow_http }: ClassifierEntry): string[] {
  const url = URL.canParse(base_url) ? new URL(base_url) : null;
  if (!url) return ['is not an address'];
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return ['must be https or http'];
  if (url.username !== '' || url.password !== '') return ['must not hold a user or password'];
  if (url.search !== '' || url.hash !== '') return ['must not hold a query or fragment'];
  if (url.protocol === 'http:' && !allow_http && !isLoopback(url.hostname)) {
    return ['must be https: plain http is for this machine, or with allow_http'];
  }
  return [];
}

/** `hostname` as the URL parser writes it, so decimal and short forms of addresses are seen through. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

/**
 * A policy pins adapter and model; a classifier is only the place where these are served.
 * @returns null where the classifier serves the policy, else `classifier_mismatch` with both sides.
 */
export function mismatch(
  serves: { readonly adapter: string; readonly models: readonly string[] },
  document: Pick<PolicyDocument, 'classifier'>,
) {
  const { adapter, model } = document.classifier;
  if (serves.adapter === adapter && serves.models.includes(model)) return null;
  return refused('classifier_mismatch', {
    adapter,
    model,
    serves_adapter: serves.adapter,
    serves_models: serves.models.join(', '),
  });
}

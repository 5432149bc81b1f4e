import type { z } from 'zod';
import { canonicalJson } from '../kernel/canonical.ts';
import { sha256Hex } from '../kernel/hash.ts';
import { isJsonObject, type JsonValue, parseJson, plainJson } from '../kernel/json.ts';
import { hasForbiddenControl, hasLoneSurrogate } from '../kernel/text.ts';
import { policyFaults } from './faults.ts';
import { DOCUMENTS, type PolicyDocument, type PolicyFault } from './schema.ts';

export type { PolicyDocument, PolicyFault, PolicyLabel, ScoresDocument, ScoresRule } from './schema.ts';

/** Reading a policy document, as it is written in a file and published for good. Its form is the page `contract`. */

/** A policy file larger than this is refused before it is read, in UTF-16 units. */
export const POLICY_TEXT_MAX = 1_000_000;

export type PolicyRefusal = 'policy_too_large' | 'invalid_json' | 'duplicate_key' | 'invalid_policy';
export type RefusedPolicy = {
  readonly ok: false;
  readonly refusal: PolicyRefusal;
  readonly faults: readonly PolicyFault[];
};
export type ReadPolicy = { readonly ok: true; readonly value: ReadablePolicy } | RefusedPolicy;
export type ReadablePolicy = {
  readonly document: PolicyDocument;
  /** The RFC 8785 text of the document as given: nothing trimmed, no default filled in. */
  readonly canonical: string;
  readonly policySha256: string;
  readonly promptSha256: string;
};

/**
 * Reads a policy file strictly: repeated keys, unknown members, numbers JavaScript cannot carry and every broken
 * promise between members are refused.
 * @param text the file's text, a byte order mark already taken off.
 * @returns the document with its hashes, or the refusal with every fault that was found and where.
 */
export function readPolicy(text: string): ReadPolicy {
  if (text.length > POLICY_TEXT_MAX) return no('policy_too_large', []);
  const json = parseJson(text);
  if (!json.ok) {
    const fault = `${json.fault.replace('_', ' ')} in line ${text.slice(0, json.at).split('\n').length}`;
    return no(json.fault === 'duplicate_key' ? 'duplicate_key' : 'invalid_json', [{ path: '', fault }]);
  }
  const unsafe = unsafeValues(json.value, '');
  if (unsafe.length > 0) return no('invalid_policy', unsafe);
  const given = plainJson(json.value);
  const kind = contractKind(json.value);
  if (kind === null) {
    return no('invalid_policy', [{ path: 'contract.kind', fault: 'must be scores, tag or verdict' }]);
  }
  const checked = DOCUMENTS[kind].safeParse(given);
  if (!checked.success) return no('invalid_policy', checked.error.issues.flatMap(issueFaults));
  const document: PolicyDocument = checked.data;
  const faults = policyFaults(document);
  if (faults.length > 0) return no('invalid_policy', faults);
  const canonical = canonicalJson(given);
  return {
    ok: true,
    value: { document, canonical, policySha256: sha256Hex(canonical), promptSha256: promptSha256(document) },
  };
}

/** @returns SHA-256 hex over the RFC 8785 form of `{template, examples}`; absent members count as "" and []. */
export function promptSha256(document: Pick<PolicyDocument, 'prompt'>): string {
  const { template = '', examples = [] } = document.prompt ?? {};
  return sha256Hex(canonicalJson({ template, examples }));
}

function no(refusal: PolicyRefusal, faults: readonly PolicyFault[]): ReadPolicy {
  return { ok: false, refusal, faults };
}

function contractKind(value: JsonValue): keyof typeof DOCUMENTS | null {
  const contract = isJsonObject(value) ? value.contract : undefined;
  const kind = isJsonObject(contract) ? contract.kind : undefined;
  return kind === 'scores' || kind === 'tag' || kind === 'verdict' ? kind : null;
}

/** What a later reader could not carry unchanged: PostgreSQL no NUL, UTF-8 no lone surrogate, JavaScript no 2^53 + 1. */
function unsafeValues(value: JsonValue, path: string): PolicyFault[] {
  if (typeof value === 'string') return unsafeText(value, path);
  if (Array.isArray(value)) return value.flatMap((inner, at) => unsafeValues(inner, `${path}[${at}]`));
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([key, inner]) => {
      const at = path === '' ? key : `${path}.${key}`;
      const faults = unsafeText(key, path).concat(unsafeValues(inner, at));
      return key === '__proto__' ? [...faults, { path, fault: 'holds a reserved key' }] : faults;
    });
  }
  if (typeof value === 'object' && value !== null) {
    const number = value.value;
    const exact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
    return exact ? [] : [{ path, fault: 'is a number that cannot be kept exactly' }];
  }
  return [];
}

function unsafeText(text: string, path: string): PolicyFault[] {
  if (hasLoneSurrogate(text)) return [{ path, fault: 'holds half a surrogate pair' }];
  return hasForbiddenControl(text) ? [{ path, fault: 'holds a control character' }] : [];
}

function issueFaults(issue: z.core.$ZodIssue): PolicyFault[] {
  const path = issue.path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at === 0 ? '' : '.'}${String(step)}`))
    .join('');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: path === '' ? key : `${path}.${key}`, fault: 'is not a known member' }));
  }
  return [{ path, fault: issue.message }];
}

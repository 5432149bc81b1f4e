import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readPolicy } from './document.ts';
import { shippedPolicies } from './shipped.fs.ts';
import { testPolicy } from './testing.ts';

type Json = Record<string, unknown>;
const plain = (): Json => JSON.parse(JSON.stringify(testPolicy()));

/** Sets a member by path; undefined takes it out. */
function changed(path: string, value: unknown, document: Json = plain()): Json {
  const steps = path.split('.');
  const last = steps.pop() ?? '';
  let at: Json = document;
  for (const step of steps) at = at[step] as Json;
  if (value === undefined) delete at[last];
  else at[last] = value;
  return document;
}

function faultsOf(text: string): string[] {
  const read = readPolicy(text);
  return read.ok ? [] : [read.refusal, ...read.faults.map(({ path, fault }) => `${path} ${fault}`)];
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('a whole valid document is read', () => {
  expect(faultsOf(JSON.stringify(plain()))).toEqual([]);
});

test.each(['prompt', 'release', 'segments', 'classifier.params'])('%s may be left out', (path) => {
  expect(faultsOf(JSON.stringify(changed(path, undefined)))).toEqual([]);
});

const BROKEN: [string, string, unknown, string][] = [
  ['a slug with a capital', 'policy', 'Test', 'policy is not a slug'],
  ['a slug that is too long', 'policy', 'a'.repeat(65), 'policy is not a slug'],
  ['an empty slug', 'policy', '', 'policy is not a slug'],
  ['a slug with a version', 'policy', 'test@1', 'policy is not a slug'],
  ['the reserved slug none', 'policy', 'none', 'policy is reserved'],
  ['no title', 'title', undefined, 'title '],
  ['a title of two lines', 'title', 'a\nb', 'title holds a control character'],
  ['no purpose', 'purpose', '', 'purpose '],
  ['an unknown member', 'notes', 'x', 'notes is not a known member'],
  ['an unknown member of a rule', 'rules.0.reviewat', 0.5, 'rules[0].reviewat is not a known member'],
  ['an unknown kind of contract', 'contract.kind', 'stars', 'contract.kind must be'],
  ['no contract', 'contract', undefined, 'contract.kind must be'],
  ['the version of another contract', 'contract_version', 'tag/1', 'contract_version '],
  ['a later contract version', 'contract_version', 'scores/2', 'contract_version '],
  ['no label', 'contract.labels', [], 'contract.labels '],
  ['a label twice', 'contract.labels.1.name', 'spam', 'contract.labels[1].name is there twice'],
  [
    'a label name that every object has',
    'contract.labels.0.name',
    '__proto__',
    'contract.labels[0].name is not a label name',
  ],
  [
    'a label name that ends in a space',
    'contract.labels.0.name',
    'spam ',
    'contract.labels[0].name is not a label name',
  ],
  [
    'a label name in a look-alike form',
    'contract.labels.0.name',
    'spame\u0301',
    'contract.labels[0].name is not a label name',
  ],
  ['a label without definition', 'contract.labels.0.definition', '', 'contract.labels[0].definition '],
  ['a label without counter-examples', 'contract.labels.0.not_examples', undefined, 'contract.labels[0].not_examples '],
  ['an unknown support', 'contract.labels.0.support', 'medium', 'contract.labels[0].support '],
  ['no rule', 'rules', [], 'rules '],
  ['a rule for no label', 'rules.0.label', 'junk', 'rules[0].label is no label of the contract'],
  ['two rules for a label', 'rules.1.label', 'spam', 'rules[1].label has two rules'],
  ['restrictAt below reviewAt', 'rules.0.restrictAt', 0.3, 'rules[0].restrictAt lies below reviewAt'],
  ['reviewAt below 0', 'rules.0.reviewAt', -0.1, 'rules[0].reviewAt '],
  ['restrictAt above 1', 'rules.0.restrictAt', 1.1, 'rules[0].restrictAt '],
  ['reviewAt as text', 'rules.0.reviewAt', '0.5', 'rules[0].reviewAt '],
  ['reviewAt null', 'rules.0.reviewAt', null, 'rules[0].reviewAt '],
  ['an irreversible action', 'rules.0.action', 'delete', 'rules[0].action '],
  [
    'an automatic high-impact label',
    'rules.1.automatic',
    true,
    'rules[1].automatic is not allowed for a high-impact label',
  ],
  ['automatic without restrictAt', 'rules.2.automatic', true, 'rules[2].automatic needs restrictAt'],
  [
    'restrictAt with low support',
    'rules.2.restrictAt',
    0.9,
    'rules[2].restrictAt is not allowed for a label with low support',
  ],
  ['an unknown adapter', 'classifier.adapter', 'magic', 'classifier.adapter '],
  ['no model', 'classifier.model', '', 'classifier.model '],
  ['an address in the policy', 'classifier.base_url', 'https://a.example', 'classifier.base_url is not a known member'],
  ['no reasons', 'reasons', [], 'reasons '],
  [
    'a reason twice',
    'reasons',
    [
      { code: 'a', text: 'A' },
      { code: 'a', text: 'B' },
    ],
    'reasons[1].code is there twice',
  ],
  ['a reason without text', 'reasons.0.text', '', 'reasons[0].text '],
  ['a template that is no text', 'prompt.template', 7, 'prompt.template '],
  ['an example that is text', 'prompt.examples', ['spam'], 'prompt.examples[0] '],
  [
    'an example that names some labels only',
    'prompt.examples',
    [{ input: { text: 'x' }, labels: { spam: 1 } }],
    'prompt.examples[0].labels must name every label',
  ],
  ['zero segments', 'segments', { max: 0 }, 'segments.max '],
  ['another combination of segments', 'segments', { combine: 'mean' }, 'segments.combine '],
  [
    'a number that JavaScript rounds',
    'classifier.params',
    { seed: 2 ** 60 },
    'classifier.params.seed is a number that',
  ],
  ['a NUL', 'purpose', 'a\0b', 'purpose holds a control character'],
  ['half a surrogate pair', 'purpose', 'a\ud800b', 'purpose holds half a surrogate pair'],
];

test.each(BROKEN)('%s is refused with its place', (_, path, value, fault) => {
  const [refusal, ...faults] = faultsOf(JSON.stringify(changed(path, value)));
  expect(refusal).toBe('invalid_policy');
  expect(faults.filter((each) => each.startsWith(fault))).not.toEqual([]);
});

test('equal thresholds, thresholds at 0 and 1, and an automatic label of ordinary weight are allowed', () => {
  let document = changed('rules.0', { label: 'spam', reviewAt: 0, restrictAt: 0, action: 'hide', automatic: true });
  document = changed('rules.1', { label: 'hate', reviewAt: 1, restrictAt: 1, action: 'limit' }, document);
  expect(faultsOf(JSON.stringify(document))).toEqual([]);
});

describe('what is no policy', () => {
  test.each([
    ['text', 'forum', 'invalid_json'],
    ['an empty file', '', 'invalid_json'],
    ['a trailing comma', '{"policy":"a",}', 'invalid_json'],
    ['a repeated key', '{"policy":"a","policy":"b"}', 'duplicate_key'],
    ['an array', '[]', 'invalid_policy'],
    ['a number beyond all bounds', '{"policy":1e999}', 'invalid_policy'],
    ['a file of 2 MB', `{"policy":"${'a'.repeat(2_000_000)}"}`, 'policy_too_large'],
  ])('%s', (_, text, refusal) => {
    expect(faultsOf(text)[0]).toBe(refusal);
  });

  test('a repeated key deep inside is told with its line', () => {
    const text = JSON.stringify(plain(), null, 1).replace('"text": "Unwanted promotion"', '"text": "a",\n"text": "b"');
    expect(faultsOf(text)[0]).toBe('duplicate_key');
    expect(faultsOf(text)[1]).toMatch(/in line [0-9]+$/);
  });
});

describe('the other two contracts', () => {
  const { rules: _, contract: __, ...common } = plain();
  const label = { name: 'manual', definition: 'A manual.', examples: [], not_examples: [] };
  const tag = { kind: 'tag', labels: [label], evidence: true };

  test.each([
    ['tag', { ...common, contract: tag, contract_version: 'tag/1', rules: { accept: ['manual'], review: [] } }],
    [
      'verdict',
      {
        ...common,
        contract: { kind: 'verdict' },
        contract_version: 'verdict/1',
        rules: { CLEAN: 'allow', SPAM: 'restrict', REVIEW: 'review' },
        classifier: {
          adapter: 'builtin',
          model: 'scripted-1',
          params: { verdict_rule: [{ label: 'spam', reviewAt: 0.3 }] },
        },
      },
    ],
  ])('a %s document is read where it is valid, and strictly', (_kind, document) => {
    expect(readPolicy(JSON.stringify(document))).toMatchObject({ ok: true, value: { document } });
    expect(faultsOf(JSON.stringify({ ...document, surprise: 1 }))[0]).toBe('invalid_policy');
  });
});

describe('hashes', () => {
  const read = (text: string) => {
    const result = readPolicy(text);
    if (!result.ok) throw new Error(result.refusal);
    return result.value;
  };

  test('neither the order of members, nor white space, nor the writing of a number or character changes them', () => {
    const reversed = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(reversed)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([key, inner]) => [key, reversed(inner)]),
            )
          : value;
    const first = read(JSON.stringify(plain()));
    const written = JSON.stringify(reversed(plain()), null, 2)
      .replace('0.4', '4e-1')
      .replace('Test policy', 'T\\u0065st policy');
    expect(read(written).policySha256).toBe(first.policySha256);
    expect(read(written).promptSha256).toBe(first.promptSha256);
  });

  test('the document is hashed as given: a default that is written out is another document', () => {
    const first = read(JSON.stringify(plain())).policySha256;
    expect(read(JSON.stringify(changed('segments', { max: 132 }))).policySha256).not.toBe(first);
    expect(read(JSON.stringify(changed('purpose', 'Holds tests together. '))).policySha256).not.toBe(first);
  });

  test('the prompt hash is that of {examples, template}, absent members as empty ones', () => {
    const { promptSha256 } = read(JSON.stringify(changed('prompt', { template: 'Judge "it".' })));
    expect(promptSha256).toBe(sha256('{"examples":[],"template":"Judge \\"it\\"."}'));
    for (const prompt of [undefined, {}, { template: '' }, { template: '', examples: [] }]) {
      expect(read(JSON.stringify(changed('prompt', prompt))).promptSha256).toBe(
        sha256('{"examples":[],"template":""}'),
      );
    }
  });

  test('the canonical text hashes to policy_sha256', () => {
    const { canonical, policySha256 } = read(JSON.stringify(plain(), null, 4));
    expect(sha256(canonical)).toBe(policySha256);
    expect(JSON.parse(canonical)).toEqual(plain());
  });
});

test('every shipped policy is valid and named by its slug', async () => {
  for (const { slug, text } of await shippedPolicies()) {
    const read = readPolicy(text);
    expect(read.ok ? read.value.document.policy : read).toBe(slug);
  }
});

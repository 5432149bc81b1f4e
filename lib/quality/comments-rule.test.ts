import { expect, test } from 'vitest';
import { DETECTORS_VERSION } from '../classifier/builtin/detectors.ts';
import { loadBuiltinModel } from '../classifier/builtin/weights.fs.ts';
import { readPolicy } from '../policy/document.ts';
import type { VerdictDocument } from '../policy/schema.ts';
import { shippedPolicies } from '../policy/shipped.fs.ts';
import { verdictRule } from '../policy/verdict-rule.ts';
import { tunedCommentsRule } from './comments-rule.fs.ts';

const text = (await shippedPolicies()).find(({ slug }) => slug === 'comments')?.text ?? '';
const read = readPolicy(text);
const document = read.ok ? (read.value.document as VerdictDocument) : undefined;

test('the shipped policy may be published and pins the scores model and the detectors it was tried with', () => {
  expect(read).toMatchObject({ ok: true });
  expect(document?.classifier).toMatchObject({
    adapter: 'builtin',
    model: loadBuiltinModel().modelId,
    params: { detectors: DETECTORS_VERSION },
  });
});

test('its thresholds are those that the tuning comments lead to, and only a learned score may say SPAM', async () => {
  const rule = await tunedCommentsRule();
  expect(document && verdictRule(document)).toEqual(rule);
  expect(rule.filter(({ spamAt }) => spamAt !== undefined).map(({ label }) => label)).toEqual(['spam']);
});

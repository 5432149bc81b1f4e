/*
 * Chooses the thresholds of the shipped policy `comments` on the tuning part of its corpus and writes them, with the
 * model they belong to, into the policy. The held-out part is not read.
 *
 *   node --import tsx scripts/tune-comments.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { builtin } from '../lib/classifier/adapters/builtin.fs.ts';
import { DETECTORS_VERSION } from '../lib/classifier/builtin/detectors.ts';
import { tunedCommentsRule } from '../lib/quality/comments-rule.fs.ts';

const POLICY = new URL('../lib/policy/shipped/comments.json', import.meta.url);

async function main(): Promise<void> {
  const policy = JSON.parse(readFileSync(POLICY, 'utf8'));
  const [model] = builtin().models;
  const verdict_rule = await tunedCommentsRule();
  policy.classifier = { adapter: 'builtin', model, params: { verdict_rule, detectors: DETECTORS_VERSION } };
  writeFileSync(POLICY, `${JSON.stringify(policy, null, 2)}\n`);
  console.log(JSON.stringify(verdict_rule));
}

void main();

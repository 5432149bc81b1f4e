import { sha256Hex } from '../../kernel/hash.ts';
import {
  labelsOf,
  type PolicyDocument,
  type ScoresDocument,
  type TagDocument,
  type VerdictDocument,
} from '../../policy/schema.ts';
import { verdictRule, wordByRule } from '../../policy/verdict-rule.ts';
import type { CallAnswer, CallInput, CallResult, Classifier } from '../answer.ts';
import { authorAndBody, authorAndBodyScores, bodyOf } from '../builtin/author-and-body.ts';
import { DETECTED, DETECTORS_VERSION } from '../builtin/detectors.ts';
import { facetOf } from '../builtin/tag-labels.ts';
import { inCodePoints } from '../builtin/tag-passage.ts';
import { loadTagModel, type TagModel } from '../builtin/tags.fs.ts';
import { type BuiltinModel, loadBuiltinModel } from '../builtin/weights.fs.ts';
import { BUILTIN_NAME, CONCURRENCY_DEFAULT, DEADLINE_DEFAULT_MS, mismatch } from '../config.ts';
import type { FailureCode } from '../failure.ts';
import { PASSAGE_MAX_CODE_POINTS } from '../fits.ts';

/** Longer texts, in UTF-16 units, are long enough for others to wait for. */
const LONG_LENGTH = 4_000;

type Said = Pick<CallAnswer, 'classification' | 'otherScores'> & { readonly raw: object; readonly read: string };

/**
 * The classifier that is always there: in this process, without a key, the same on every machine. It reads title and
 * text, the title first; under a `verdict` policy also the author's name, by itself. A parent is never read: it was
 * trained on texts alone, so a context would only disturb it.
 *
 * It serves two models: one gives scores, and words by the policy's rule; the other gives the tags of the shipped
 * document policies.
 * @throws where the shipped weights are missing or damaged.
 */
export function builtin(): Classifier {
  const scoring = loadBuiltinModel();
  const tagging = loadTagModel();
  return {
    name: BUILTIN_NAME,
    adapter: BUILTIN_NAME,
    models: [scoring.modelId, tagging.modelId],
    concurrency: CONCURRENCY_DEFAULT,
    deadlineMs: DEADLINE_DEFAULT_MS,
    close: async () => {},
    classify: async ({ document, input }): Promise<CallResult> => {
      // A text of a thousand pages would otherwise hold up everything else in this process, its leases too.
      if (input.text.length > LONG_LENGTH) await new Promise((resolve) => setImmediate(resolve));
      const started = performance.now();
      const model = document.contract_version === 'tag/1' ? tagging.modelId : scoring.modelId;
      if (mismatch({ adapter: BUILTIN_NAME, models: [model] }, document)) {
        return { outcome: 'model_mismatch', latencyMs: 0 };
      }
      const said = say(document, input, scoring, tagging);
      if (typeof said === 'string') return { outcome: said, latencyMs: 0 };
      const { classification, otherScores, raw, read } = said;
      const bytes = Buffer.byteLength(read);
      return {
        outcome: 'ok',
        classification,
        otherScores,
        model,
        units: bytes,
        raw: JSON.stringify(raw),
        latencyMs: Math.round(performance.now() - started),
        normalised: [],
        weight: { requestBytes: bytes, contentBytes: bytes },
      };
    },
  };
}

function say(document: PolicyDocument, input: CallInput, scoring: BuiltinModel, tagging: TagModel): Said | FailureCode {
  switch (document.contract_version) {
    case 'scores/1':
      return sayScores(document, input, scoring);
    case 'tag/1':
      return sayTag(document, input, tagging);
    case 'verdict/1':
      return sayWord(document, input, scoring);
  }
}

function sayScores(document: ScoresDocument, input: CallInput, { score }: BuiltinModel): Said | FailureCode {
  const read = bodyOf(input);
  const known = score(read);
  const scores: Record<string, number> = {};
  for (const { name } of labelsOf(document)) {
    const value = Object.hasOwn(known, name) ? known[name] : undefined;
    // The policy asks for something this model never learned: no item can be answered, so the run must stop.
    if (value === undefined) return 'config_error';
    scores[name] = value;
  }
  return {
    classification: { scores },
    otherScores: Object.fromEntries(Object.entries(known).filter(([name]) => !Object.hasOwn(scores, name))),
    raw: known,
    read,
  };
}

function sayWord(document: VerdictDocument, input: CallInput, { score }: BuiltinModel): Said | FailureCode {
  const rule = verdictRule(document);
  if (!rule) return 'config_error';
  // What detectors find is pinned as weights are: a policy names the version it was tried with.
  const detect = rule.some(({ label }) => DETECTED.includes(label));
  if (detect && document.classifier.params?.detectors !== DETECTORS_VERSION) return 'config_error';
  const scores = authorAndBodyScores(input, score, { detect });
  const word = wordByRule(rule, scores);
  if (word === null) return 'config_error';
  return { classification: { word }, otherScores: {}, raw: scores, read: authorAndBody(input).join('\n') };
}

/** A text without a sentence shows nothing, and a title is no passage of the text: no tag without its evidence. */
function sayTag(document: TagDocument, input: CallInput, { tag }: TagModel): Said | FailureCode {
  const facet = facetOf(labelsOf(document).map(({ name }) => name));
  if (!facet) return 'config_error';
  const answer = tag(input, facet, PASSAGE_MAX_CODE_POINTS);
  const said = { otherScores: {}, raw: answer.shares, read: bodyOf(input) };
  if (!document.contract.evidence) {
    return { ...said, classification: { tag: answer.tag, start: null, end: null, passage_sha256: null } };
  }
  if (!answer.passage) return 'evidence_out_of_bounds';
  const { from, to } = answer.passage;
  const passage_sha256 = sha256Hex(input.text.slice(from, to));
  return { ...said, classification: { tag: answer.tag, ...inCodePoints(input.text, answer.passage), passage_sha256 } };
}

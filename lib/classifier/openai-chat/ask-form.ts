import { WORDS } from '../../policy/classification.ts';
import { labelsOf, type PolicyDocument } from '../../policy/schema.ts';

/** How the form of an answer is asked for: as a JSON schema and in words, one for each answer contract. */

type Form = {
  /** Of the answer's members besides its echoes. */
  readonly properties: Readonly<Record<string, object>>;
  readonly echoes: readonly string[];
  readonly words: string;
};

/** @returns the strict schema of an answer under this policy. */
export function answerSchema(document: PolicyDocument): object {
  const { properties, echoes } = formOf(document);
  return {
    type: 'object',
    additionalProperties: false,
    required: [...echoes, ...Object.keys(properties)],
    properties: { ...Object.fromEntries(echoes.map((name) => [name, { type: 'string' }])), ...properties },
  };
}

/** @returns the members that must come back just as they were sent. */
export function echoesOf(document: PolicyDocument): readonly string[] {
  return document.contract_version === 'tag/1' ? ['nonce', 'content_id', 'revision'] : ['nonce'];
}

/** @returns one sentence or two that say what the answer must be. */
export function answerInWords(document: PolicyDocument): string {
  return formOf(document).words;
}

function formOf(document: PolicyDocument): Form {
  const names = labelsOf(document).map(({ name }) => name);
  const echoes = echoesOf(document);
  const begin = 'Answer with one JSON object and nothing else: {"nonce": the nonce exactly as it was given, ';
  const { contract } = document;
  switch (contract.kind) {
    case 'scores': {
      const labels = {
        type: 'object',
        additionalProperties: false,
        required: names,
        properties: Object.fromEntries(names.map((name) => [name, { type: 'number' }])),
      };
      const words =
        `${begin}"labels": {each label: the probability from 0 to 1 that it applies to input.text}}. ` +
        'Name every label once.';
      return { properties: { labels }, echoes, words };
    }
    case 'tag': {
      const label = { type: 'string', enum: names };
      const echoed = `${begin}"content_id" and "revision" exactly as they were given, "label": `;
      if (!contract.evidence) {
        return { properties: { label }, echoes, words: `${echoed}exactly one of the labels that fits best}.` };
      }
      const words =
        `${echoed}exactly one of the labels that fits best, "evidence": a passage of at most 300 characters that shows ` +
        'it, copied from input.text letter by letter}.';
      return { properties: { label, evidence: { type: 'string' } }, echoes, words };
    }
    case 'verdict':
      return {
        properties: { verdict: { type: 'string', enum: WORDS } },
        echoes,
        words: `${begin}"verdict": "CLEAN", "SPAM" or "REVIEW"}. Say REVIEW wherever you are not sure.`,
      };
  }
}

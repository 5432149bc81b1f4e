import { z } from 'zod';
import { isJsonObject, type JsonValue } from '../../kernel/json.ts';
import type { FailureCode } from '../failure.ts';
import { type Format, shownInput } from '../format.ts';
import { readBody } from '../http/json-body.ts';
import { modelEcho, modelNamed } from '../model-echo.ts';
import type { Heard } from '../said.ts';

const schema = z.strictObject({ model_echo: modelEcho });

/** Our own small format, for services that somebody writes for Docket; all three contracts. */
export const httpJsonFormat: Format = {
  ask({ decisionId, contentId, revision, policyVersion, document, input }, given) {
    const params = schema.safeParse(given).data;
    if (!params) return 'config_error';
    const { template = '', examples = [] } = document.prompt ?? {};
    const echoes = { content_id: contentId, revision };
    const body = JSON.stringify({
      decision_id: decisionId,
      ...echoes,
      policy_version: policyVersion,
      contract: document.contract,
      prompt: { template, examples },
      input: shownInput(input),
    });
    const { model } = document.classifier;
    return {
      path: '',
      questions: [
        {
          body,
          read: (arrived): Heard => {
            const read = readBody(arrived);
            const fail = (outcome: FailureCode): Heard => ({ outcome, tokens: null, raw: read.text });
            if (!read.ok) return fail(read.outcome);
            if (!isJsonObject(read.value)) return fail('schema_mismatch');
            // Nothing at all is no answer by another model, which would stop the run.
            if (Object.keys(read.value).length === 0) return fail('bad_upstream');
            const named = modelNamed(model, read.value.model, params.model_echo);
            if (named === null) return fail('model_mismatch');
            const said = { form: 'contract', answer: withoutModel(read.value), echoes, open: true } as const;
            return { outcome: 'ok', said, model: named, tokens: null, raw: read.text, normalised: [] };
          },
        },
      ],
    };
  },
};

function withoutModel(answer: { [key: string]: JsonValue }): JsonValue {
  const rest: { [key: string]: JsonValue } = Object.create(null);
  for (const [name, value] of Object.entries(answer)) if (name !== 'model') rest[name] = value;
  return rest;
}

import { z } from 'zod';
import { isJsonObject, type JsonValue } from '../../kernel/json.ts';
import type { Call } from '../answer.ts';
import type { FailureCode } from '../failure.ts';
import { type Format, singleText } from '../format.ts';
import { readBody } from '../http/json-body.ts';
import { labelMap, neededLabels, sourcesOf, underOurNames } from '../label-map.ts';
import type { Heard } from '../said.ts';

const schema = z.strictObject({
  /** `huggingface`: the base address is the model's; `tei`: Text Embeddings Inference, at /predict. */
  server: z.enum(['huggingface', 'tei']).default('huggingface'),
  /** How many labels the service may give back; one that is cut off is unknown, not 0. */
  top_k: z.int().min(1).max(1_000).default(100),
  function_to_apply: z.enum(['sigmoid', 'softmax', 'none']).optional(),
  labels: labelMap,
  verdict_rule: z.unknown().optional(),
});
type Params = z.infer<typeof schema>;
type Labels = { [label: string]: JsonValue };

/** Text classification of Hugging Face and of TEI: scores, tags without a passage, and words by the policy's rule. */
export const textClassificationFormat: Format = {
  ask(call, given) {
    const params = schema.safeParse(given).data;
    const { document } = call;
    const needed = neededLabels(document);
    if (!params || !needed) return 'config_error';
    if (document.contract.kind === 'tag' && document.contract.evidence) return 'config_error';
    return {
      path: params.server === 'tei' ? '/predict' : '',
      questions: [
        {
          body: requestBody(call, params),
          read: (arrived): Heard => {
            const body = readBody(arrived);
            const fail = (outcome: FailureCode): Heard => ({ outcome, tokens: null, raw: body.text });
            if (!body.ok) return fail(body.outcome);
            const given = readLabels(body.value);
            if (typeof given === 'string') return fail(given);
            const labels = underOurNames(given, needed, (label) => sourcesOf(label, params.labels, {}));
            const said = { form: 'scores', answer: { labels }, echoes: {}, open: true } as const;
            // Neither service says which model answered: the pinned one is what the address stands for.
            const { model } = document.classifier;
            return { outcome: 'ok', said, model, tokens: null, raw: body.text, normalised: [] };
          },
        },
      ],
    };
  },
};

function requestBody(call: Call, { server, top_k, function_to_apply }: Params): string {
  const inputs = singleText(call);
  // A text the service would cut in silence must fail instead; ours are segments already.
  if (server === 'tei') return JSON.stringify({ inputs, raw_scores: false, truncate: false });
  const exclusive = call.document.contract.kind === 'tag';
  const applied = function_to_apply ?? (exclusive ? 'softmax' : 'sigmoid');
  return JSON.stringify({ inputs, parameters: { top_k, function_to_apply: applied } });
}

/** Takes `[{label, score}]` and `[[{label, score}]]`; a list in which somebody else's text has an answer, too, is none. */
function readLabels(value: JsonValue): Labels | FailureCode {
  if (!Array.isArray(value)) return 'bad_upstream';
  const nested = value.some((each) => Array.isArray(each));
  if (nested && value.length > 1) return 'item_mismatch';
  const list = nested ? value[0] : value;
  if (!Array.isArray(list)) return 'schema_mismatch';
  if (list.length === 0) return 'missing_result';
  const labels: Labels = Object.create(null);
  for (const each of list) {
    if (!isJsonObject(each) || typeof each.label !== 'string' || each.score === undefined) return 'schema_mismatch';
    // null is no word of this format.
    if (each.score === null) return 'schema_mismatch';
    if (each.label in labels) return 'duplicate_key';
    labels[each.label] = each.score;
  }
  return labels;
}

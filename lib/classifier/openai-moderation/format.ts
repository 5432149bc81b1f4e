import { z } from 'zod';
import { isJsonObject } from '../../kernel/json.ts';
import { type Format, singleText } from '../format.ts';
import { readBody } from '../http/json-body.ts';
import { labelMap, neededLabels, sourcesOf, underOurNames } from '../label-map.ts';
import { modelEcho, modelNamed } from '../model-echo.ts';
import type { Heard } from '../said.ts';

const schema = z.strictObject({ model_echo: modelEcho, labels: labelMap, verdict_rule: z.unknown().optional() });

/**
 * Categories that stand for labels as our policies name them. Any other label is looked for under its own name; spam
 * and toxicity are no categories of this service, so a policy that needs them fails instead of reading 0.
 */
const CATEGORIES: Readonly<Record<string, readonly string[]>> = {
  threat: ['harassment/threatening', 'hate/threatening'],
  harassment: ['harassment', 'harassment/threatening'],
  hate: ['hate', 'hate/threatening'],
  self_harm: ['self-harm', 'self-harm/intent', 'self-harm/instructions'],
  sexual: ['sexual', 'sexual/minors'],
  violence: ['violence', 'violence/graphic'],
};

/** The moderations endpoint: scores of closed categories, and words by the policy's rule. It shows no tag. */
export const openaiModerationFormat: Format = {
  ask(call, given) {
    const params = schema.safeParse(given).data;
    const { document } = call;
    const needed = neededLabels(document);
    if (!params || !needed || document.contract_version === 'tag/1') return 'config_error';
    const { model } = document.classifier;
    return {
      path: '/moderations',
      questions: [
        {
          body: JSON.stringify({ model, input: singleText(call) }),
          read: (arrived): Heard => {
            const body = readBody(arrived);
            const fail = (outcome: Exclude<Heard['outcome'], 'ok'>): Heard => ({
              outcome,
              tokens: null,
              raw: body.text,
            });
            if (!body.ok) return fail(body.outcome);
            if (!isJsonObject(body.value) || !Array.isArray(body.value.results)) return fail('bad_upstream');
            const named = modelNamed(model, body.value.model, params.model_echo);
            if (named === null) return fail('model_mismatch');
            const [result, ...more] = body.value.results;
            // One text was sent; which of two results is its own nobody can tell.
            if (more.length > 0) return fail('item_mismatch');
            const scores = isJsonObject(result) ? result.category_scores : undefined;
            if (scores === undefined) return fail('missing_result');
            if (!isJsonObject(scores)) return fail('schema_mismatch');
            const labels = underOurNames(scores, needed, (label) => sourcesOf(label, params.labels, CATEGORIES));
            const said = { form: 'scores', answer: { labels }, echoes: {}, open: true } as const;
            return { outcome: 'ok', said, model: named, tokens: null, raw: body.text, normalised: [] };
          },
        },
      ],
    };
  },
};

import type { JsonNumber, JsonValue } from '../../../kernel/json.ts';
import type { Call } from '../../answer.ts';
import type { FailureCode } from '../../failure.ts';
import { type Format, singleText } from '../../format.ts';
import { neededLabels, sourcesOf, underOurNames } from '../../label-map.ts';
import { type Message, readCompletion } from '../envelope.ts';
import { CHAT_PATH, commonBody } from '../format.ts';
import { type PresetParams, presetParams } from '../params.ts';
import { askTokens, number, probabilityOf } from './first-word.ts';

/** The categories of Llama Guard 3; the list is closed. */
const CATEGORIES = Array.from({ length: 14 }, (_, at) => `S${at + 1}`);
/** Which of them stand for labels as our policies name them. It knows no spam, no harassment and no toxicity. */
const TABLE: Readonly<Record<string, readonly string[]>> = {
  violence: ['S1'],
  hate: ['S10'],
  self_harm: ['S11'],
  sexual: ['S3', 'S4', 'S12'],
};
/**
 * The model begins with line breaks of its template; nothing else may stand around its words. One pattern from the
 * start: one that looks for the end would try every blank of a long run of them, which takes time by the square.
 */
const WORDS = /^[\r\n]*(?:safe|unsafe\r?\n(S[0-9]{1,2}(?:, ?S[0-9]{1,2})*))[\r\n ]*$/;

/**
 * Llama Guard: `safe`, or `unsafe` and a line of categories, in its own words and without a nonce. Every category has
 * the score 1 where it is named, else 0; with `logprobs` the probability of the word `unsafe` takes the place of 1, and
 * under the word `safe` the place of every 0.
 */
export const llamaGuardFormat: Format = {
  ask(call, given) {
    const params = presetParams(given);
    const { document } = call;
    const needed = neededLabels(document);
    if (!params || !needed || document.contract_version === 'tag/1') return 'config_error';
    const sources = (label: string) => sourcesOf(label, params.labels, TABLE);
    // A label that no category stands for would never be found: a matter of configuration, not of this text.
    if (!needed.flatMap(sources).every((source) => CATEGORIES.includes(source))) return 'config_error';
    return {
      path: CHAT_PATH,
      questions: [
        {
          body: requestBody(call, params),
          read: (arrived) =>
            readCompletion(arrived, document.classifier.model, params, (message) => {
              const scores = readWords(message, params);
              if (typeof scores === 'string') return scores;
              const labels = underOurNames(scores, needed, sources);
              return { said: { form: 'scores', answer: { labels }, echoes: {}, open: true }, normalised: [] };
            }),
        },
      ],
    };
  },
};

/** One user message is all: the taxonomy stands in the model's own chat template. */
function requestBody(call: Call, params: PresetParams): string {
  return JSON.stringify({
    ...commonBody(call.document, params),
    ...(params.logprobs && askTokens()),
    messages: [{ role: 'user', content: singleText(call) }],
  });
}

function readWords({ content, logprobs }: Message, params: PresetParams): { [label: string]: JsonValue } | FailureCode {
  const words = WORDS.exec(content);
  if (!words) return 'schema_mismatch';
  const listed = words[1]?.split(/, ?/);
  if (listed && new Set(listed).size !== listed.length) return 'duplicate_key';
  if (listed?.some((category) => !CATEGORIES.includes(category))) return 'unknown_label';
  const likely = params.logprobs ? probabilityOf('unsafe', 'safe', listed ? 'unsafe' : 'safe', logprobs) : number(1);
  if (!likely) return 'schema_mismatch';
  const score = (category: string): JsonNumber => {
    if (listed) return listed.includes(category) ? likely : number(0);
    return params.logprobs ? likely : number(0);
  };
  return Object.fromEntries(CATEGORIES.map((category) => [category, score(category)]));
}

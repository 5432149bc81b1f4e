import { setMaxListeners } from 'node:events';
import { labelsOf } from '../../policy/schema.ts';
import type { Call, CallResult, Classifier } from '../answer.ts';

/** A classifier for tests: what it answers is written in the script, when it answers is in the test's hand. */

export type Script = {
  /** @returns what the call ends with; by default 0 for every label of the policy, or what the text's marker says. */
  answer?: (call: Call, nth: number) => CallResult | Promise<CallResult>;
  adapter?: Classifier['adapter'];
  model?: string;
  concurrency?: number;
};

export type ScriptedClassifier = Classifier & {
  /** Every call in the order it came. */
  readonly calls: Call[];
  /** Calls that were given up by their signal. */
  readonly aborted: Call[];
};

/**
 * Makes a scripted classifier.
 * @param script without `answer` it answers by markedAnswer: text `spam=0.9 hate=null` gives these scores, all else 0.
 */
export function scriptedClassifier(script: Script = {}): ScriptedClassifier {
  const model = script.model ?? 'scripted-1';
  const answer = script.answer ?? ((call: Call) => markedAnswer(call, model));
  const calls: Call[] = [];
  const aborted: Call[] = [];
  return {
    name: 'scripted',
    adapter: script.adapter ?? 'builtin',
    models: [model],
    concurrency: script.concurrency ?? 8,
    deadlineMs: 25_000,
    calls,
    aborted,
    classify: async (call, signal) => {
      calls.push(call);
      const over = new AbortController();
      try {
        const abandoned = givenUp(signal, over.signal).then((result) => {
          aborted.push(call);
          return result;
        });
        return await Promise.race([answer(call, calls.length), abandoned]);
      } finally {
        over.abort();
      }
    },
    close: async () => {},
  };
}

/** @param over takes the listener off again, since one signal serves thousands of calls. */
function givenUp(signal: AbortSignal, over: AbortSignal): Promise<CallResult> {
  return new Promise((resolve) => {
    const give = (): void => resolve({ outcome: 'outcome_unknown', latencyMs: 1 });
    if (signal.aborted) give();
    setMaxListeners(0, signal);
    signal.addEventListener('abort', give, { signal: over });
  });
}

/** @returns an answer with these scores and 0 for the other labels of the policy. */
export function answerWith(
  call: Call,
  scores: Readonly<Record<string, number | null>>,
  model = 'scripted-1',
): CallResult {
  const labels = labelsOf(call.document).map(({ name }) => name);
  const whole = Object.fromEntries(labels.map((name) => [name, scores[name] ?? (name in scores ? null : 0)]));
  return {
    outcome: 'ok',
    classification: { scores: whole },
    otherScores: {},
    model,
    units: 10,
    raw: JSON.stringify(whole),
    latencyMs: 1,
    normalised: [],
    weight: { requestBytes: 10, contentBytes: 5 },
  };
}

/** @returns the answer that the text itself orders: `fail=timeout` a failure, `spam=0.9` a score, anything else 0. */
export function markedAnswer(call: Call, model = 'scripted-1'): CallResult {
  const marks = Object.fromEntries(
    [...call.input.text.matchAll(/\b([a-z_]+)=([a-z_]+|[0-9.]+)/g)].map((m) => [m[1], m[2]]),
  );
  if (marks.fail) return { outcome: marks.fail as Exclude<CallResult['outcome'], 'ok'>, latencyMs: 1 };
  const scores = Object.entries(marks).map(([label, mark]) => [label, mark === 'null' ? null : Number(mark)] as const);
  return answerWith(call, Object.fromEntries(scores), model);
}

/** A gate that a test opens by hand, so that nothing has to sleep. */
export type Gate = { readonly opened: Promise<void>; open(): void };

/** @returns a closed gate. */
export function gate(): Gate {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

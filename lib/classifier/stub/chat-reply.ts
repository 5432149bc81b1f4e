import { utf8Length } from '../../kernel/text.ts';
import type { Asked } from './asked.ts';
import type { AnswerFault } from './faults.ts';

/** A chat completion around what was said. */

export type Said = { readonly content: string };
/** Bytes that a token stands for, roughly. */
const TOKEN_BYTES = 4;
/** The stub is as sure as this of the word it says, where the tokens are asked for. */
const SURE = 0.9;

/** @returns the body of a response with status 200, spoilt around the message where the fault says so. */
export function chatBody({ form, shown }: Asked, model: string, { content }: Said, fault: AnswerFault | null): string {
  const choice = {
    index: 0,
    finish_reason: fault === 'truncated' ? 'length' : fault === 'content_filter' ? 'content_filter' : 'stop',
    logprobs: form === 'shieldgemma' || form === 'llama-guard' ? tokensOf(content) : null,
    message:
      fault === 'refusal'
        ? { role: 'assistant', content: null, refusal: 'I cannot help with that.' }
        : { role: 'assistant', content: fault === 'truncated' ? content.slice(0, -4) : content, refusal: null },
  };
  const prompt = Math.ceil(utf8Length(shown.text) / TOKEN_BYTES) + 1;
  const completion = Math.ceil(content.length / TOKEN_BYTES);
  return JSON.stringify({
    id: 'chatcmpl-stub',
    object: 'chat.completion',
    created: 0,
    model,
    choices: fault === 'two_choices' ? [choice, { ...choice, index: 1 }] : [choice],
    usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
  });
}

const OPPOSITES: Readonly<Record<string, string>> = { Yes: 'No', No: 'Yes', safe: 'unsafe', unsafe: 'safe' };

function tokensOf(content: string): object | null {
  const word = /^\s*([A-Za-z]+)/.exec(content)?.[1];
  const opposite = word === undefined ? undefined : OPPOSITES[word];
  if (word === undefined || opposite === undefined) return null;
  const top = [
    { token: word, logprob: Math.log(SURE), bytes: null },
    { token: opposite, logprob: Math.log(1 - SURE), bytes: null },
  ];
  return { content: [{ ...top[0], top_logprobs: top }] };
}

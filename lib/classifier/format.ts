import type { Call, CallInput } from './answer.ts';
import type { FailureCode } from './failure.ts';
import type { Arrived } from './http/json-body.ts';
import type { Heard } from './said.ts';

/** A wire format: how a call is put into requests, and how what comes back is read. No network, no clock, no key. */

/** One request and what becomes of its answer. */
export type Question = {
  /** The same bytes for the same call. */
  readonly body: string;
  /** Reads a body that came with status 200. Never throws for what stands in it. */
  readonly read: (arrived: Arrived) => Heard;
};
export type Asked = {
  /** Goes behind the base address; empty where the base address is the address. */
  readonly path: string;
  /** Asked in turn; all but the presets of one question a label have one. */
  readonly questions: readonly [Question, ...Question[]];
};
export type Format = {
  /**
   * @param params of the endpoint, under those of the policy.
   * @returns the requests, or `config_error` where a setting is unknown or the format cannot answer this contract.
   */
  ask(call: Call, params: Readonly<Record<string, unknown>>): Asked | FailureCode;
};

/**
 * What is shown to formats that take a single text: title and text; under a `verdict` policy the author's name before
 * them. A parent is not shown to them.
 */
export function singleText({ document, input }: Pick<Call, 'document' | 'input'>): string {
  const author = document.contract_version === 'verdict/1' ? input.author_name : undefined;
  return [author, input.title, input.text].filter((part) => part !== undefined && part !== '').join('\n\n');
}

/** Everything that is shown, in an order of ours. */
export function shownInput({ text, title, author_name, parent_text }: CallInput): CallInput {
  return {
    text,
    ...(title !== undefined && { title }),
    ...(author_name !== undefined && { author_name }),
    ...(parent_text !== undefined && { parent_text }),
  };
}

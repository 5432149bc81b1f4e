import type { ServerResponse } from 'node:http';
import {
  type ChatRequest,
  completion,
  send,
  startChatStub,
  validContent,
} from '../../lib/classifier/testing/chat-stub.http.ts';
import { type Gate, until } from './gates.db.ts';

export const MODEL = 'stub-model-1';

/** What a text makes the loopback classifier do. Anything else it finds fine. */
export const TEXTS = {
  fine: 'fine words',
  spam: 'spam, perhaps',
  worst: 'worst of spam',
  broken: 'broken answer',
  refused: 'refused by the service',
  poison: 'poison for whoever calls',
} as const;
export type Kind = keyof typeof TEXTS;

/** A classifier on this machine that knows which process asks, and can keep its answers back. */
export type FireClassifier = {
  /** @returns the base_url of one process. */
  address(process: number): string;
  /** Keeps back the answers to these processes, where the text is of this kind; any kind if none is given. */
  hold(processes: readonly number[] | 'all', kind?: Kind): Gate;
  /** Requests so far, by process. */
  asked(process: number): number;
  close(): Promise<void>;
};

type Held = { process: number; request: ChatRequest; response: ServerResponse };

export async function startFireClassifier(): Promise<FireClassifier> {
  let holds: (process: number, text: string) => boolean = () => false;
  let held: Held[] = [];
  const asked = new Map<number, number>();
  const stub = await startChatStub((request, response) => {
    const process = Number(/fire-(\d+)/.exec(request.path)?.[1]);
    asked.set(process, (asked.get(process) ?? 0) + 1);
    if (holds(process, request.user.input.text ?? '')) held.push({ process, request, response });
    else answer(request, response);
  });
  return {
    address: (process) => `${new URL(stub.url).origin}/fire-${process}`,
    asked: (process) => asked.get(process) ?? 0,
    hold: (processes, kind) => {
      holds = (process, text) =>
        (processes === 'all' || processes.includes(process)) && (kind === undefined || text.includes(TEXTS[kind]));
      return {
        standing: () =>
          until('a call', async () => (held.length > 0 ? [...new Set(held.map((one) => one.process))] : undefined)),
        open: async () => {
          holds = () => false;
          const waiting = held;
          held = [];
          for (const { request, response } of waiting) answer(request, response);
        },
      };
    },
    close: () => stub.close(),
  };
}

function answer(request: ChatRequest, response: ServerResponse): void {
  const text = request.user.input.text ?? '';
  const has = (kind: Kind): boolean => text.includes(TEXTS[kind]);
  if (has('broken')) send(response, completion('{"labels": {'));
  else if (has('refused')) send(response, completion(null, { message: { refusal: 'I cannot help with that.' } }));
  else send(response, completion(validContent(request, has('worst') ? 0.9 : has('spam') ? 0.5 : 0)));
}

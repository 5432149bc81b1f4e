import type { ServerResponse } from 'node:http';
import {
  type ChatRequest,
  completion,
  send,
  startChatStub,
  validContent,
} from '../../../lib/classifier/testing/chat-stub.http.ts';
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
  hold(processes: readonly number[] | 'all', kind?: Kind): HeldCalls;
  /** Requests so far, by process. */
  asked(process: number): number;
  close(): Promise<void>;
};

/** Calls that wait for their answer. */
export type HeldCalls = Gate & {
  /** The process of each call that is kept back now. */
  held(): number[];
  /** Lets go of the calls of processes that are dead. */
  forget(processes: readonly number[]): void;
  /** Answers what is kept back, as if every text were of this kind where one is given, and keeps nothing back any more. */
  open(as?: Kind): Promise<void>;
};

type Held = { process: number; request: ChatRequest; response: ServerResponse };
type Hold = { wants(process: number, text: string): boolean; held: Held[] };

export async function startFireClassifier(): Promise<FireClassifier> {
  const holds = new Set<Hold>();
  const asked = new Map<number, number>();
  const stub = await startChatStub((request, response) => {
    const process = Number(/fire-(\d+)/.exec(request.path)?.[1]);
    const text = request.user.input.text ?? '';
    asked.set(process, (asked.get(process) ?? 0) + 1);
    const hold = [...holds].find((one) => one.wants(process, text));
    if (hold) hold.held.push({ process, request, response });
    else answer(request, response, text);
  });
  return {
    address: (process) => `${new URL(stub.url).origin}/fire-${process}`,
    asked: (process) => asked.get(process) ?? 0,
    hold: (processes, kind) => {
      const hold: Hold = {
        wants: (process, text) =>
          (processes === 'all' || processes.includes(process)) && (kind === undefined || text.includes(TEXTS[kind])),
        held: [],
      };
      holds.add(hold);
      return heldCalls(hold, () => holds.delete(hold));
    },
    close: () => stub.close(),
  };
}

function heldCalls(hold: Hold, over: () => void): HeldCalls {
  return {
    standing: () =>
      until('a call', async () =>
        hold.held.length > 0 ? [...new Set(hold.held.map((one) => one.process))] : undefined,
      ),
    forget: (processes) => {
      hold.held = hold.held.filter((one) => !processes.includes(one.process));
    },
    held: () => hold.held.map((one) => one.process),
    open: async (as?: Kind) => {
      over();
      for (const { request, response } of hold.held.splice(0)) {
        answer(request, response, as === undefined ? (request.user.input.text ?? '') : TEXTS[as]);
      }
    },
  };
}

function answer(request: ChatRequest, response: ServerResponse, text: string): void {
  const has = (kind: Kind): boolean => text.includes(TEXTS[kind]);
  if (has('broken')) send(response, completion('{"labels": {'));
  else if (has('refused')) send(response, completion(null, { message: { refusal: 'I cannot help with that.' } }));
  else send(response, completion(validContent(request, has('worst') ? 0.9 : has('spam') ? 0.5 : 0)));
}

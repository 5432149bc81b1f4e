import type { PolicyDocument } from '../policy/schema.ts';
import type { ClassifierEntry } from './config.ts';

/** Which data leaves to where when a classifier is asked: from the description alone, nothing is called. */
export type Leaving = {
  /** False for the classifier in this process. */
  readonly leaves: boolean;
  /** Host and port, never the path. */
  readonly host: string | null;
  /** In the clear: whoever is on the way can read it. */
  readonly encrypted: boolean | null;
  /** What of the content is sent. */
  readonly members: readonly string[];
  /** What else of ours is sent with each call. */
  readonly besides: readonly string[];
  /** The variable the key is read from; never its value. */
  readonly keyVariable: string | null;
  readonly keySet: boolean | null;
  /** What stays here of each call as evidence. */
  readonly kept: readonly string[];
};

const SHOWN = ['text', 'title', 'author_name', 'parent_text'] as const;
const KEPT = ['the raw answer, at most 64 KiB', 'model, units, latency and outcome of each attempt'] as const;

type Sent = Pick<Leaving, 'members' | 'besides'>;
type Document = Pick<PolicyDocument, 'contract_version'>;

/** Services that take one text get title and text, and the author's name where it is part of what is judged. */
function bareText({ contract_version }: Document): readonly string[] {
  return contract_version === 'verdict/1' ? ['text', 'title', 'author_name'] : ['text', 'title'];
}

const PROMPT = "the policy's prompt and labels";

function sent({ adapter, preset }: ClassifierEntry, document: Document): Sent {
  const bare = { members: bareText(document), besides: ['idempotency key'] };
  switch (adapter) {
    case 'openai-moderation':
    case 'text-classification':
      return bare;
    case 'http-json':
      return {
        members: SHOWN,
        besides: ['decision_id', 'content_id', 'revision', 'policy_version', 'idempotency key', PROMPT],
      };
    case 'openai-chat':
      // The taxonomy of Llama Guard stands in the model itself; the other two are told what to look for.
      if (preset === 'llama-guard') return bare;
      if (preset !== undefined) return { ...bare, besides: [...bare.besides, PROMPT] };
      return { members: SHOWN, besides: ['content_id', 'revision', 'nonce', 'idempotency key', PROMPT] };
  }
}

/**
 * @param entry of the operator's file; undefined for the classifier in this process.
 * @param variable gives an environment variable; only whether it is set is told.
 */
export function leaving(
  entry: ClassifierEntry | undefined,
  document: Document,
  variable: (name: string) => string | undefined,
): Leaving {
  if (!entry) {
    const none = { leaves: false, host: null, encrypted: null, besides: [], keyVariable: null, keySet: null };
    return { ...none, members: bareText(document), kept: [...KEPT] };
  }
  const url = new URL(entry.base_url);
  const keyVariable = entry.api_key_env ?? null;
  return {
    leaves: true,
    host: url.host,
    encrypted: url.protocol === 'https:',
    ...sent(entry, document),
    keyVariable,
    keySet: keyVariable === null ? null : (variable(keyVariable) ?? '') !== '',
    kept: [...KEPT],
  };
}

/** What a request asks for, whichever format it came in. */

export type Form =
  | 'chat'
  | 'llama-guard'
  | 'shieldgemma'
  | 'safeguard'
  | 'moderations'
  | 'huggingface'
  | 'tei'
  | 'http-json';

export type Wanted =
  | { readonly kind: 'scores'; readonly labels: readonly string[] }
  | { readonly kind: 'tag'; readonly labels: readonly string[]; readonly evidence: boolean }
  | { readonly kind: 'verdict' };

export type Shown = {
  readonly text: string;
  readonly title?: string;
  readonly author_name?: string;
  readonly parent_text?: string;
};

export type Asked = {
  readonly form: Form;
  readonly model: string;
  readonly wanted: Wanted;
  readonly shown: Shown;
  /** What has to come back with the answer: nonce, content_id and revision, as far as they were sent. */
  readonly echoes: Readonly<Record<string, string>>;
  /** The label that a guard model is asked about, where it is one. */
  readonly principle?: string;
};

/** The name under which the stub serves whatever does not name a model itself. */
export const STUB_MODEL = 'docket-stub';

type Members = Readonly<Record<string, unknown>>;

/**
 * @param path of the request, without a query.
 * @param body as parsed; anything.
 * @returns what is asked, or null where this is no request of any format spoken here.
 */
export function readAsked(path: string, body: unknown): Asked | null {
  if (!isMembers(body)) return null;
  if (path.endsWith('/chat/completions')) return readChat(body);
  if (path.endsWith('/moderations'))
    return typeof body.input === 'string' ? bare('moderations', body, body.input) : null;
  if (path.endsWith('/predict')) return typeof body.inputs === 'string' ? bare('tei', body, body.inputs) : null;
  if (path.endsWith('/classify')) return readHttpJson(body);
  return typeof body.inputs === 'string' ? bare('huggingface', body, body.inputs) : null;
}

function bare(form: Form, body: Members, text: string): Asked {
  return { form, model: modelOf(body), wanted: { kind: 'scores', labels: [] }, shown: { text }, echoes: {} };
}

function readChat(body: Members): Asked | null {
  const messages = Array.isArray(body.messages) ? body.messages.filter(isMembers) : [];
  const user = messages.findLast((message) => message.role === 'user')?.content;
  if (typeof user !== 'string') return null;
  const system = messages.find((message) => message.role === 'system')?.content;
  const wanted = wantedBySchema(body);
  if (!wanted) return readGuard(body, typeof system === 'string' ? system : null, user);
  const data = parsed(user);
  const input = isMembers(data) ? data.input : undefined;
  if (!isMembers(data) || !isMembers(input)) return null;
  const echoed = wanted.kind === 'tag' ? ['nonce', 'content_id', 'revision'] : ['nonce'];
  return { form: 'chat', model: modelOf(body), wanted, shown: shownOf(input), echoes: echoesOf(data, echoed) };
}

/** Guard models are told apart by what they are shown: a principle, an order to say `violation`, or just a text. */
function readGuard(body: Members, system: string | null, user: string): Asked {
  const model = modelOf(body);
  const scores: Wanted = { kind: 'scores', labels: [] };
  const principle = /\* "([^"]{1,200})":/.exec(user)?.[1];
  if (principle !== undefined && user.includes("must start with 'Yes' or 'No'")) {
    const quoted = /Human Question: (".*")\n/.exec(user)?.[1];
    const text = parsed(quoted ?? '');
    return {
      form: 'shieldgemma',
      model,
      wanted: { kind: 'scores', labels: [principle] },
      shown: { text: typeof text === 'string' ? text : user },
      echoes: {},
      principle,
    };
  }
  if (system?.includes('"violation"')) {
    const labels = parsed(/"policy_category": the one of (\[[^\]]*\])/.exec(system)?.[1] ?? '[]');
    const names = Array.isArray(labels) ? labels.filter((each) => typeof each === 'string') : [];
    return { form: 'safeguard', model, wanted: { kind: 'scores', labels: names }, shown: { text: user }, echoes: {} };
  }
  return { form: 'llama-guard', model, wanted: scores, shown: { text: user }, echoes: {} };
}

function wantedBySchema(body: Members): Wanted | null {
  const format = isMembers(body.response_format) ? body.response_format : {};
  const wrapped = isMembers(format.json_schema) ? format.json_schema : format;
  const properties = isMembers(wrapped.schema) ? wrapped.schema.properties : undefined;
  if (!isMembers(properties)) return null;
  if (isMembers(properties.labels)) return { kind: 'scores', labels: strings(properties.labels.required) };
  if (isMembers(properties.label)) {
    return { kind: 'tag', labels: strings(properties.label.enum), evidence: 'evidence' in properties };
  }
  return 'verdict' in properties ? { kind: 'verdict' } : null;
}

function readHttpJson(body: Members): Asked | null {
  const { contract, input } = body;
  if (!isMembers(contract) || !isMembers(input)) return null;
  const labels = (Array.isArray(contract.labels) ? contract.labels : []).flatMap((label) =>
    isMembers(label) && typeof label.name === 'string' ? [label.name] : [],
  );
  const wanted: Wanted | null =
    contract.kind === 'scores'
      ? { kind: 'scores', labels }
      : contract.kind === 'tag'
        ? { kind: 'tag', labels, evidence: contract.evidence === true }
        : contract.kind === 'verdict'
          ? { kind: 'verdict' }
          : null;
  if (!wanted) return null;
  const echoes = echoesOf(body, ['content_id', 'revision']);
  return { form: 'http-json', model: STUB_MODEL, wanted, shown: shownOf(input), echoes };
}

function modelOf(body: Members): string {
  return typeof body.model === 'string' ? body.model : STUB_MODEL;
}

function shownOf(input: Members): Shown {
  const text = (name: string): string | undefined => (typeof input[name] === 'string' ? input[name] : undefined);
  const members = ['title', 'author_name', 'parent_text'].flatMap((name) => {
    const value = text(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { text: text('text') ?? '', ...Object.fromEntries(members) };
}

function echoesOf(data: Members, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (typeof data[name] === 'string' ? [[name, data[name]]] : [])));
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

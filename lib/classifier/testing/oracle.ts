import { createHash } from 'node:crypto';

/**
 * A second reader of answers over chat completions and http-json, written from the contract page alone. It shares no code with the
 * reader and the judge it is held against: its own JSON, its own fences, its own search. It only says whether a body is
 * exactly a valid answer, and to what it amounts.
 */

/** What is known of the call that an answer must answer. */
export type Question = {
  readonly adapter: 'openai-chat' | 'http-json';
  readonly kind: 'scores' | 'tag' | 'verdict';
  readonly evidence: boolean;
  readonly labels: readonly string[];
  readonly model: string;
  readonly nonce: string;
  readonly contentId: string;
  readonly revision: string;
  readonly text: string;
};

/** A value that knows how it was written: members in their order, numbers as digits. */
type Node =
  | { readonly type: 'object'; readonly members: ReadonlyMap<string, Node> }
  | { readonly type: 'array'; readonly items: readonly Node[] }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'word'; readonly value: 'true' | 'false' | 'null' };

class NotJson extends Error {}

const WHITE = ' \t\n\r';
const DIGITS = '0123456789';
const HEX = '0123456789abcdefABCDEF';
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Walks a text character by character. */
class Walk {
  #at = 0;
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }

  whole(): Node {
    const node = this.#value();
    if (this.#at < this.#text.length) throw new NotJson();
    return node;
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #take(expected: string): void {
    if (this.#text.slice(this.#at, this.#at + expected.length) !== expected) throw new NotJson();
    this.#at += expected.length;
  }

  #run(alphabet: string): string {
    const from = this.#at;
    while (this.#peek() !== '' && alphabet.includes(this.#peek())) this.#at++;
    return this.#text.slice(from, this.#at);
  }

  #value(): Node {
    this.#run(WHITE);
    const node = this.#bare();
    this.#run(WHITE);
    return node;
  }

  #bare(): Node {
    const next = this.#peek();
    if (next === '{') return this.#object();
    if (next === '[') return this.#array();
    if (next === '"') return { type: 'string', value: this.#string() };
    for (const value of ['true', 'false', 'null'] as const) {
      if (next === value.charAt(0)) {
        this.#take(value);
        return { type: 'word', value };
      }
    }
    return { type: 'number', value: this.#number() };
  }

  #object(): Node {
    const members = new Map<string, Node>();
    this.#take('{');
    this.#run(WHITE);
    if (this.#peek() !== '}') {
      for (;;) {
        this.#run(WHITE);
        const name = this.#string();
        if (members.has(name)) throw new NotJson();
        this.#run(WHITE);
        this.#take(':');
        members.set(name, this.#value());
        if (this.#peek() !== ',') break;
        this.#at++;
      }
    }
    this.#take('}');
    return { type: 'object', members };
  }

  #array(): Node {
    const items: Node[] = [];
    this.#take('[');
    this.#run(WHITE);
    if (this.#peek() !== ']') {
      for (;;) {
        items.push(this.#value());
        if (this.#peek() !== ',') break;
        this.#at++;
      }
    }
    this.#take(']');
    return { type: 'array', items };
  }

  #string(): string {
    this.#take('"');
    let value = '';
    for (;;) {
      const unit = this.#peek();
      if (unit === '' || unit < ' ') throw new NotJson();
      this.#at++;
      if (unit === '"') return value;
      value += unit === '\\' ? this.#escape() : unit;
    }
  }

  #escape(): string {
    const letter = this.#peek();
    this.#at++;
    if (letter !== 'u') {
      const meant = Object.hasOwn(ESCAPES, letter) ? ESCAPES[letter] : undefined;
      if (meant === undefined) throw new NotJson();
      return meant;
    }
    const digits = this.#text.slice(this.#at, this.#at + 4);
    if (digits.length < 4 || [...digits].some((digit) => !HEX.includes(digit))) throw new NotJson();
    this.#at += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #number(): number {
    const from = this.#at;
    if (this.#peek() === '-') this.#at++;
    const whole = this.#run(DIGITS);
    if (whole === '' || (whole.length > 1 && whole.startsWith('0'))) throw new NotJson();
    if (this.#peek() === '.') {
      this.#at++;
      if (this.#run(DIGITS) === '') throw new NotJson();
    }
    if (this.#peek() === 'e' || this.#peek() === 'E') {
      this.#at++;
      if (this.#peek() === '+' || this.#peek() === '-') this.#at++;
      if (this.#run(DIGITS) === '') throw new NotJson();
    }
    return Number.parseFloat(this.#text.slice(from, this.#at));
  }
}

function strict(text: string): Node | null {
  try {
    return new Walk(text).whole();
  } catch (thrown) {
    if (thrown instanceof NotJson) return null;
    throw thrown;
  }
}

/** @returns the value of a body as JavaScript would hold it, or null where it is no strict JSON in UTF-8. */
export function plainly(body: Buffer): { readonly value: unknown } | null {
  const text = body.toString('utf8');
  const node = Buffer.from(text, 'utf8').equals(body) ? strict(text.startsWith('\ufeff') ? text.slice(1) : text) : null;
  return node && { value: plain(node) };
}

function plain(node: Node): unknown {
  if (node.type === 'array') return node.items.map(plain);
  if (node.type === 'object') return new Map([...node.members].map(([name, inner]) => [name, plain(inner)]));
  return node.type === 'word' ? { true: true, false: false, null: null }[node.value] : node.value;
}

const membersOf = (node: Node | null | undefined) => (node?.type === 'object' ? node.members : null);
const textOf = (node: Node | undefined) => (node?.type === 'string' ? node.value : null);

/**
 * @param body as it came with status 200 and type JSON.
 * @returns the classification in one fixed notation, or null where the body is no valid answer.
 */
export function oracle(body: Buffer, question: Question): string | null {
  const outer = outerOf(body, question.model);
  const bare = question.adapter === 'http-json';
  const said = bare ? null : messageOf(outer);
  const members = bare ? outer : said === null ? null : membersOf(strict(unfenced(said)));
  if (!members) return null;
  const due: [string, string][] = bare ? [['model', question.model]] : [['nonce', question.nonce]];
  if (bare || question.kind === 'tag') due.push(['content_id', question.contentId], ['revision', question.revision]);
  if (due.some(([name, value]) => textOf(members.get(name)) !== value)) return null;
  const rest = [...members.keys()].filter((name) => due.every(([echo]) => echo !== name)).sort();
  if (question.kind === 'scores') return rest.join() === 'labels' ? scores(members.get('labels'), question) : null;
  if (question.kind === 'verdict') {
    const verdict = rest.join() === 'verdict' ? textOf(members.get('verdict')) : null;
    return verdict === 'CLEAN' || verdict === 'SPAM' || verdict === 'REVIEW' ? `word ${verdict}` : null;
  }
  const label = textOf(members.get('label'));
  if (label === null || question.labels.indexOf(label) < 0) return null;
  if (!question.evidence) return rest.join() === 'label' ? `tag ${label}` : null;
  const passage = rest.join() === 'evidence,label' ? textOf(members.get('evidence')) : null;
  const found = passage === null || /^\s*$/.test(passage) ? null : find(question.text, passage);
  return found && `tag ${label} ${found}`;
}

type Members = ReadonlyMap<string, Node>;

/** What lies around an answer: one object, from the very model, that is no error. */
function outerOf(body: Buffer, model: string): Members | null {
  const text = body.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(body)) return null;
  const outer = membersOf(strict(text.startsWith('\ufeff') ? text.slice(1) : text));
  const error = outer?.get('error');
  if (error && !(error.type === 'word' && error.value !== 'true')) return null;
  return outer && textOf(outer.get('model')) === model ? outer : null;
}

/** The message of a completion that stopped by itself, without a refusal beside it. */
function messageOf(outer: Members | null): string | null {
  const choices = outer?.get('choices');
  if (choices?.type !== 'array' || choices.items.length !== 1) return null;
  const choice = membersOf(choices.items[0]);
  if (!choice || textOf(choice.get('finish_reason')) !== 'stop') return null;
  const message = membersOf(choice.get('message'));
  const refusal = message?.get('refusal');
  const none = !refusal || (refusal.type === 'word' && refusal.value === 'null') || textOf(refusal) === '';
  if (!message || !none) return null;
  return textOf(message.get('content'));
}

/** One fence around the whole message, of json or of nothing; whatever is not that stays as it is. */
function unfenced(content: string): string {
  let from = 0;
  let to = content.length;
  while (from < to && WHITE.includes(content.charAt(from))) from++;
  while (to > from && WHITE.includes(content.charAt(to - 1))) to--;
  const lines = content.slice(from, to).split('\n');
  if (lines.length < 3) return content;
  const trimmed = (line: string | undefined) => (line ?? '').replace(/[ \t\r]+$/, '');
  const first = trimmed(lines[0]);
  const last = trimmed(lines.at(-1)).replace(/^[ \t]+/, '');
  if ((first !== '```' && first !== '```json') || last !== '```') return content;
  return lines.slice(1, -1).join('\n');
}

/** Over http-json a service may say null, and may name labels of its own that a database can hold. */
function scores(node: Node | undefined, { labels, adapter }: Question): string | null {
  const open = adapter === 'http-json';
  const members = membersOf(node);
  if (!members || (!open && members.size !== labels.length)) return null;
  for (const [name, score] of members) {
    if (!isScore(score, open)) return null;
    const ours = labels.some((label) => label === name);
    if (!ours && (name.length < 1 || name.length > 200 || !isPlain(name))) return null;
  }
  if (!labels.every((label) => members.has(label)) || members.size > labels.length + 256) return null;
  const told = labels.map((label) => {
    const score = members.get(label);
    return `${label}=${score?.type === 'number' ? String(score.value) : 'null'}`;
  });
  return `scores ${told.join(' ')}`;
}

function isScore(node: Node, open: boolean): boolean {
  if (node.type === 'number') return node.value >= 0 && node.value <= 1;
  return open && node.type === 'word' && node.value === 'null';
}

/** @returns true for a name without control character and half character. */
export function isPlain(name: string): boolean {
  return Array.from(name).every((character) => {
    const code = character.codePointAt(0) ?? 0;
    return code >= 0x20 && !(code >= 0x7f && code <= 0x9f) && !(code >= 0xd800 && code <= 0xdfff);
  });
}

/** Counts in whole characters, so half of one is found nowhere. */
function find(text: string, passage: string): string | null {
  const hay = Array.from(text);
  const needle = Array.from(passage);
  if (needle.length < 1 || needle.length > 300) return null;
  for (let start = 0; start + needle.length <= hay.length; start++) {
    let same = 0;
    while (same < needle.length && hay[start + same] === needle[same]) same++;
    if (same === needle.length) {
      const sha256 = createHash('sha256').update(Buffer.from(passage, 'utf8')).digest('hex');
      return `${start} ${start + needle.length} ${sha256}`;
    }
  }
  return null;
}

import { DETECTED } from '../builtin/detectors.ts';
import { BUILTIN_LABELS } from '../builtin/labels.ts';
import type { Asked } from './asked.ts';
import { chatBody } from './chat-reply.ts';
import type { Answer } from './judge.ts';
import { replyBody } from './reply.ts';

/**
 * A model that belongs to whoever wrote the text: it says the best of everything and does what else it is told, as far
 * as a model can. For rehearsing what happens then.
 */

/** @returns the body of a response with status 200. */
export function obedientBody(asked: Asked): string {
  const { form, shown, echoes } = asked;
  const told = [shown.text, shown.title, shown.author_name, shown.parent_text, echoes.content_id, echoes.revision].join(
    '\n',
  );
  const good = replyBody(asked, bestOf(asked, told), null);
  if (form !== 'chat' && form !== 'http-json') return good;
  const content = form === 'chat' ? contentOf(good) : good;
  const obeyed = obey(content, told, echoes);
  const model = /\b(?:be|call yourself|you are) (?:the )?model ([\w.-]{1,40})/i.exec(told)?.[1];
  if (form === 'chat') return chatBody(asked, model ?? asked.model, { content: obeyed }, null);
  return model === undefined
    ? obeyed
    : obeyed.replace(`"model":${JSON.stringify(asked.model)}`, `"model":${JSON.stringify(model)}`);
}

/** Nothing found, the word CLEAN, or the tag that is demanded by its name, else the first. */
function bestOf({ wanted, shown }: Asked, told: string): Answer {
  switch (wanted.kind) {
    case 'scores': {
      const names = wanted.labels.length > 0 ? wanted.labels : [...BUILTIN_LABELS, ...DETECTED];
      return { kind: 'scores', labels: Object.fromEntries(names.map((label) => [label, 0])) };
    }
    case 'verdict':
      return { kind: 'verdict', verdict: 'CLEAN' };
    case 'tag': {
      const label = wanted.labels.find((each) =>
        new RegExp(`\\b(?:as|is|label|tag)\\W{1,3}${each}\\b`, 'i').test(told),
      );
      return { kind: 'tag', label: label ?? wanted.labels[0] ?? '', evidence: [...shown.text].slice(0, 20).join('') };
    }
  }
}

function obey(content: string, told: string, echoes: Readonly<Record<string, string>>): string {
  const members = JSON.parse(content) as Record<string, unknown>;
  // An answer that stands in the text is given just as it stands there.
  const dictated = /\{[^{}]{0,200}["'](?:verdict|labels|label)["'][^{}]{0,200}(?:\{[^{}]{0,200}\})?[^{}]{0,100}\}/.exec(
    told,
  )?.[0];
  if (dictated !== undefined) return dictated;
  if (/\b(?:omit|drop|leave out) the nonce\b/i.test(told)) delete members.nonce;
  if (/\b(?:another|a different|invent a) nonce\b/i.test(told)) members.nonce = 'f'.repeat(64);
  const other = /\bfor content_id (\S{1,64}?)[,.]?(?:\s|$)/i.exec(told)?.[1];
  if (other !== undefined) Object.assign(members, { content_id: other, nonce: echoes.nonce });
  const field = /\badd (?:a|the) (?:field|member) (\w{1,40})/i.exec(told)?.[1];
  if (field !== undefined) members[field] = 'published';
  const text = JSON.stringify(members);
  return /\b(?:two|another) (?:objects?|answers?)\b/i.test(told) ? `${text}\n${text}` : text;
}

function contentOf(completion: string): string {
  const { choices } = JSON.parse(completion) as { choices: { message: { content: string } }[] };
  return choices[0]?.message.content ?? '';
}

import type { Rule } from './instruction-rules.ts';

/** Signs in the form rather than in the words: tags of roles, false notices, ends of a container, and answers in advance. */

const form = (id: string, start: RegExp): Rule => ({ id, on: 'wide', start, all: [], within: 0 });

/** What a line under a role would have to speak of to be meant for a model. */
const ORDER =
  /\b(?:you (?:are|must|will|should)|ignore|disregard|this comment|verdict|classif\w*|answer|return|respond|output|clean\b|approve\w*|override|comply|instructions?|moderation|moderator|content is|content polic\w+|user is (?:trusted|verified|an admin))/;

export const FORMS: readonly Rule[] = [
  form('role', /<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end|channel|message)\|>/),
  form('role', /\[\/?inst\]|<<\/?sys>>|<\/?(?:start|end)_of_turn>/),
  form(
    'role',
    /(?:^|\n)[^\S\n]*#{2,4} ?(?:system|instructions?|response|assistant|developer)\b ?(?:prompt|message)?:?\s*(?:\n|$)/,
  ),
  form('role', /"role"\s*:\s*"(?:system|assistant|developer|tool)"/),
  form('role', /<\/?(?:tool_call|function_call|function_calls|tool_result|invoke|tool_response)\b/),
  form('role', /\n\n(?:human|assistant): ?\S/),
  {
    id: 'role',
    on: 'wide',
    start: /(?:^|[\n\].;!?])\s{0,4}[[(<*]{0,2}(?:system|assistant|developer|systemprompt|admin|root)[\])>*]{0,2} ?:/g,
    all: [/:/, ORDER],
    within: 120,
  },
  {
    id: 'role',
    on: 'latin',
    start:
      /(?:^|[[(<*#:.] ?)system ?(?:note|message|prompt|notice|override|instruction|update|alert|directive)s?\b ?[:\]*>)-]/g,
    all: [
      /\b(?:comment|post|content|text|classif\w*|moderat\w*|verdict|clean\b|model|instructions?|approv\w*|trusted|filter\w*|review)/,
    ],
    within: 160,
  },
  form(
    'closing',
    /(?:[-=#*_~]{3}|\[|<) ?(?:end|ende|fin|fine|koniec)(?: of)?(?: the)?(?: user)? ?(?:content|input|comment|prompt|document|data|untrusted\w*|user (?:text|message)|user) ?(?:[-=#*_~]{3}|\]|>)/,
  ),
  {
    id: 'addressed',
    on: 'wide',
    start: /<!--/g,
    all: [/\b(?:moderators?|classifier|model|filter|ai)\b ?:/],
    within: 80,
  },
];

const ANSWERS: readonly RegExp[] = [
  /["']?verdict["']?\s*[:=]\s*["'](?:CLEAN|SPAM|REVIEW|allow|clean)["']/,
  /["']labels["']\s*:\s*\{[^{}]{0,200}["']\s*:\s*(?:0|1)(?:\.\d+)?\s*[,}]/,
  /["']label["']\s*:\s*["'][^"']{1,60}["']\s*,\s*["'](?:evidence|nonce|content_id)["']\s*:/,
  /["']violation["']\s*:\s*(?:0|1|true|false)\b/,
  /["']category_scores["']\s*:|["']flagged["']\s*:\s*false/,
  /["']finish_reason["']\s*:\s*["']/,
];
/** Without one of these no answer can stand in a text. */
const ANSWER_WORD = /verdict|label|violation|category_scores|flagged|finish_reason|nonce/;
const NONCE = /\{\s*["']nonce["']\s*:/g;
/** Where else a nonce is at home. */
const OTHER_NONCES = /["'](?:gas(?:price|limit)?|chainid|iss|aud|exp|sub|ciphertext|maxfeepergas|to|from)["']/i;

/** @returns true where an answer to one of our contracts, or to a service's format, stands in the text. */
export function imitatesAnswer(text: string): boolean {
  if (!ANSWER_WORD.test(text)) return false;
  const straight = text.replace(/[“”„]/g, '"');
  if (ANSWERS.some((answer) => answer.test(straight))) return true;
  for (const { index } of straight.matchAll(NONCE)) {
    if (!OTHER_NONCES.test(straight.slice(index, index + 300))) return true;
  }
  return false;
}

const CONTAINER =
  /<(\/?)(comment|input|content|user|user_?input|user_?content|user_?text|untrusted(?:_\w{1,20})?|prompt|system|instructions?|message|post|document|data)\b[^<>]{0,80}>/g;

/** @returns true where a container ends that the text has not begun: it would have to be ours. */
export function unmatchedEnd(text: string): boolean {
  if (!text.includes('</')) return false;
  const open = new Map<string, number>();
  for (const [, slash, name = ''] of text.matchAll(CONTAINER)) {
    const depth = (open.get(name) ?? 0) + (slash === '/' ? -1 : 1);
    if (depth < 0) return true;
    open.set(name, depth);
  }
  return false;
}

import type { Rule } from './instruction-rules.ts';

/** Signs of persuading: whoever judges is addressed and asked for an outcome, or the outcome is given as a fact. */

const near = (id: string, within: number, start: RegExp, ...all: RegExp[]): Rule => ({
  id,
  on: 'latin',
  start,
  all,
  within,
});

/** What is asked of whoever judges. */
const FAVOUR =
  /\b(?:approve|publish|allow|accept|pass|skip|release|whitelist|let (?:it|this|them|me|my|the)|wave|green-?light|(?:do not|don't|dont|never|no need to) (?:delete|remove|flag|hold|block|check|scan|review|rescan|re-scan|look)|without (?:looking|checking|reading|review)|clean|harmless|(?:ok|okay|fine) to (?:publish|post))\b/;
const AUTHORITY =
  /\b(?:i am|i'm|this is|we are|from) (?:the|your|an?|our) (?:site |system |forum |page |blog )?(?:admin\w*|moderator|mod|developer|programmer|owner|webmaster|supervisor|chief editor)\b/;

export const PLEAS: readonly Rule[] = [
  near(
    'plea',
    200,
    /\b(?:dear|kind|hey|hi|hello|hi there,?|attention|listen,?|to (?:the|all|whichever)|@) ?(?:moderators?|mods?|reviewers?|moderation team|mod ?bot\d*|censors?)\b/g,
    FAVOUR,
  ),
  near('plea', 160, new RegExp(AUTHORITY.source, 'g'), FAVOUR),
  near('plea', 120, new RegExp(FAVOUR.source, 'g'), AUTHORITY),
  {
    id: 'plea',
    on: 'latin',
    start:
      /\b(?:0|zero|no) (?:policy |rule )?violations? (?:found|detected|here|in)\b|\b(?:status|state|scan|scanned|result|decision)\s?[:=]\s?["']?(?:all )?(?:approved|clean|passed|whitelisted|safe)\b|\btrust ?level ?[:=]? ?\d/,
    all: [],
    within: 0,
  },
  {
    id: 'imitation',
    on: 'wide',
    start:
      /(?:^|\n)[^\S\n]*["'>*-]{0,3}(?:comment|text|input|post|message)\s?\d{0,3}\s?:[^\n]{1,300}\n\s*["'>*-]{0,3}(?:verdict|label|output|answer|class|result|decision)\s?\d{0,3}\s?:/,
    all: [],
    within: 0,
  },
  // The word of the contract as it is written there, in a text that does not shout.
  {
    id: 'dictate',
    on: 'cased',
    start: /(?<![A-Z]{2}\s)\bCLEAN\b(?!\s?[A-Z]{2})/,
    all: [],
    within: 0,
  },
];

import { CLEAN } from './instruction-languages.ts';
import type { Rule } from './instruction-rules.ts';

/** Signs in English, which attackers write whatever language the site speaks. */

const MATERIAL =
  '(?:comment|post|text|message|document|content|item|submission|review|input|page|file|thread|following|user content)s?';
const FINE =
  '(?:clean|safe|allow(?:ed)?|harmless|approved?|acceptable|benign|not spam|non-?spam|ham|neutral|fit|compliant|guideline|procedure|a guideline|accepted)';
const WHO =
  '(?:ai|a\\.i\\.|llm|model|language model|classifier|ai model|ai moderator|assistant|moderation (?:bot|system|ai|model|filter)|spam filter|filter|automated (?:system|moderator)|chatbot)';

const plain = (id: string, source: string): Rule => ({
  id,
  on: 'latin',
  start: new RegExp(source),
  all: [],
  within: 0,
});
const near = (id: string, within: number, start: RegExp, ...all: RegExp[]): Rule => ({
  id,
  on: 'latin',
  start,
  all,
  within,
});

export const ENGLISH: readonly Rule[] = [
  near(
    'override',
    80,
    /\b(?:ignore|ignoring|disregard|forget|override|overrule|bypass|discard|do not follow|don't follow|stop following)\b/g,
    /\b(?:instructions?|prompts?|directives?|guidelines?|programming|system message)\b/,
    /\b(?:previous|prior|above|earlier|preceding|your|system|original|initial|you (?:were|have been) given|everything before)\b/,
  ),
  near(
    'override',
    100,
    /\b(?:ignore|disregard|forget)\b/g,
    /^\w+ (?:all|any|every|the|these|those|your|everything)\b.{0,30}\b(?:instructions?|rules?|guidelines?|polic(?:y|ies)|above)\b/,
    /\b(?:and|then|,|instead) ?(?:just |only |simply |always )?(?:say|answer|reply|respond|output|return|write|print|approve|mark|classify|label|do as)\b/,
  ),
  plain(
    'persona',
    `\\b(?:forget|pretend|imagine)(?: that)? you(?:'re| are| were)(?: not| no longer)?(?: an?| the| my)? ?(?:content )?(?:moderator|${WHO}|machine|bot|filter)\\b`,
  ),
  plain(
    'persona',
    "\\byou(?:'re| are) (?:now )?(?:in|entering) (?:a |the )?(?:maintenance|developer|debug|god|dan|admin|unrestricted|jailbreak|test|training|calibration)(?:[ -]mode)\\b",
  ),
  plain(
    'persona',
    `\\byou are (?:now|no longer) (?:an? |the |my )?(?:unrestricted|unfiltered|uncensored|jailbroken|helpful|dan\\b|different|free|obedient|permissive|lenient|${WHO})`,
  ),
  near(
    'persona',
    90,
    /\bfrom now on,? (?:you|always|only|every|all|respond|answer)\b/g,
    /\b(?:answer|respond|reply|say|classify|output|return|approve|allow|label|mark)\b/,
    /\b(?:you|clean|safe|approved|every(?:thing)?|all) ?/,
    /\b(?:comment|text|clean|safe|approved|message|post|verdict|content|json|word)s?\b/,
  ),
  near(
    'dictate',
    60,
    /\b(?:says?|answer(?:ing)?|reply|respond|return(?:ing)?|output(?:ting)?|print|emit|submit|enter|write|classify|choose|set|verdict|reads?|word|repeat|confirm|mark|rate|label)\b/g,
    new RegExp(`^\\w+(?: \\S{1,20}){0,5}? ?${CLEAN.source}`),
    /^(?!(?:write|reads?|repeat|set|enter|return|mark|word|says?|rate|choose|submit)\b).|["'“«=:]\s?clean\b|\b(?:word|verdict|label|result|as) (?:is |to |= ?)?clean\b/,
  ),
  plain(
    'dictate',
    `\\b(?:classify|label|rate|tag|categori[sz]e|score)(?: this| the| my| it| everything| all| any| every| each)?(?: ${MATERIAL})?(?: below| above)? as ["'“«]?${FINE}\\b`,
  ),
  plain(
    'dictate',
    `\\b(?:mark|treat|consider|pass|report|judge)(?: this| the| my| all| any| every| each| these)(?: [a-z]+)? ?${MATERIAL}(?: below| above)? as ["'“«]?${FINE}\\b`,
  ),
  plain(
    'dictate',
    '\\b(?:verdict|verdictum|moderation result|classification|expected (?:output|answer|result|verdict)|correct (?:answer|label|verdict)|verdict must be)\\s?(?:is|must be|should be|[:=])\\s?["\'“«]?(?:clean|safe|allow(?:ed)?|approved|ham|not spam)\\b',
  ),
  plain(
    'dictate',
    '\\b(?:all|every|each) (?:the )?(?:scores?|labels?|categor(?:y|ies))[^.!?]{0,30}\\b(?:0(?:\\.0+)?|zero)\\b|\\b(?:scores?|labels?|probabilit(?:y|ies)) (?:of|to|at|=|as|with) ?(?:0(?:\\.0+)?|zero) (?:for|on|to|in) (?:all|every|each|any|spam|hate|this)|\\bset (?:all |every |the )?(?:scores?|labels?) to (?:0|zero)\\b',
  ),
  plain(
    'dictate',
    '\\b(?:use|repeat|return|echo|change|set|omit|drop|invent|replace) (?:the |this |another |a different )*(?:nonce|content id)\\b|\\bthe nonce (?:is|must be|for this)\\b|\\b(?:answer|respond|reply) (?:for|about) content id\\b',
  ),
  plain('dictate', '\\bsudo (?:approve|allow|publish|moderate|verdict|mark|pass)\\b'),
  near(
    'addressed',
    70,
    /\b(?:note|message|memo|instructions?|reminder|notice|hint|request|command|order|ps|p\.s\.)\b/g,
    new RegExp(`^[\\w.]+:? (?:to|for)(?: the| all| any| our)? (?:${WHO}|system)\\b(?! (?:admin|train|y ))`),
  ),
  near(
    'addressed',
    110,
    /\bif you(?:'re| are)(?: reading this and are)? an? (?:ai|llm|machine|bot|language model|large language model|classifier|automated|robot|model)\b/g,
    /\b(?:please|must|say|answer|approve|output|respond|reply|ignore|mark|skip|merciful|return|classify|let)\b/,
  ),
  near(
    'addressed',
    140,
    /\bas an ai(?: language)?(?: model| moderator| assistant)\b/g,
    /\b(?:reviewed|verdict|comply|complies|classif\w+|confidence|approve\w*|clean)\b/,
    /\b(?:i|verdict|this)\b/,
  ),
  near(
    'addressed',
    160,
    /\b(?:trust (?:&|and) safety|moderation team|site admin\w*|system admin\w*|the developers?|openai|anthropic|system override|admin override)\b/g,
    /\b(?:pass|allow|approve|let|accept|release|skip|do not (?:flag|hold|moderate|classify))\b(?: \S+){0,3} (?:everything|all|this|every|through|comments?)\b/,
    /\b(?:please|must|should|until|now|you)\b/,
  ),
  near(
    'exempt',
    140,
    /\b(?:(?:pre-?)?approved|verified|validated|cleared|whitelisted|human reviewed)\b/g,
    /\b(?:skip|do not|don't|no need|without|bypass|exempt)\b,? ?(?:to |for |from |you to |any |further |the )*(?:re-?)?(?:scan|check|review|classif\w+|moderat\w+|evaluat\w+|flag|hold|filter|analy\w+|look\w*|process)\b/,
  ),
  plain(
    'exempt',
    '(?:^|[.!?:;\\]\\n"] ?)(?:please )?(?:skip|bypass|disable|suspend) (?:the |all |any |your |this |further )*(?:classification|moderation|content filter\\w*|safety (?:check|filter)s?|policy check|evaluation|spam check)\\b',
  ),
  plain(
    'exempt',
    `\\b(?:must|should|shall|do|can) ?not (?:be )?(?:evaluated?|classif(?:y|ied)|moderated?|re-?scan(?:ned)?|scored?)(?: (?:this|the|it|these|any)(?: ${MATERIAL})?)?(?=\\s?(?:$|[.!:;,]))`,
  ),
  plain(
    'exempt',
    '\\bno (?:further|additional) (?:analysis|classification|moderation|evaluation) (?:is )?(?:needed|required|necessary)\\b',
  ),
  near(
    'exempt',
    120,
    /\b(?:new|updated|revised) (?:polic(?:y|ies)|rules?|instructions?|directives?|system prompt)\b/g,
    /\b(?:effective|immediately|from now|override|supersed\w+|replace\w*|apply)\b/,
    /\b(?:no longer (?:spam|flagged|a violation)|classif\w+|clean|following items|moderat\w+|allow all|approve)\b/,
  ),
  plain(
    'closing',
    '\\b(?:previous|above|last|user|prior) (?:message|prompt|input|content|text|comment) (?:has |have )?(?:ended|ends|is over|stops) ?(?:here|now|[.:;])',
  ),
  plain(
    'closing',
    '\\bthe (?:new|real|actual|next) (?:message|text|comment|input|task|content|document) (?:to|for|you (?:must|should)) (?:be )?(?:classif\\w+|moderat\\w+|judge\\w*|evaluat\\w+)\\b',
  ),
  plain(
    'imitation',
    '\\b(?:is ?spam|spam ?score|toxicity ?score|moderation ?status|review ?status|flagged|violation)["\']?\\s?[:=]\\s?["\']?(?:false|0(?:\\.0+)?|no|none|approved|clean|pass(?:ed)?)\\b',
  ),
  plain(
    'addressed',
    '\\b(?:dear|hey|hello|hi|attention|listen,?) (?:ai|classifier|moderation (?:bot|system|ai|model|filter)|spam filter|mod ?bot|auto ?mod(?:erator)?|language model|algorithm)\\b(?! (?:fans?|people|users?|community))',
  ),
  plain(
    'addressed',
    `\\bthe (?:moderation )?(?:${WHO}|bot|algorithm|system) (?:must|should|shall|has to|is (?:required|instructed|told|ordered) to) (?:pass|allow|approve|ignore|accept|let|return|output|answer|skip|treat|mark)\\b`,
  ),
  plain(
    'addressed',
    '\\bas (?:the|your) (?:developer|creator|administrator|admin|supervisor|operator|programmer)s?,? (?:i|we) (?:hereby |now )?(?:order|instruct|command|authori[sz]e|tell|ask|request|allow|approve)\\b',
  ),
  plain(
    'exempt',
    `\\b(?:this|the following|my) ${MATERIAL} (?:is|are|was|were|has been|have been) (?:already |hereby )?(?:pre-?approved|pre-?screened|whitelisted|exempt|cleared|verified as|marked as (?:safe|clean|approved))\\b`,
  ),
  plain(
    'exempt',
    `\\b(?:must|should|shall|please|and|then|now)(?: be)? (?:approve|accept|allow|publish|whitelist|approved|whitelisted) (?:this|the following|every|all) ${MATERIAL}\\b`,
  ),
  plain('exempt', `\\blet (?:this|my) (?:${MATERIAL}|one) (?:through|pass)\\b`),
  near(
    'persona',
    120,
    /\b(?:debug|test|demo|maintenance|sandbox|calibration|training|override) mode\b/g,
    /\b(?:every comment|all comments|this comment|classif\w+|verdict|clean|moderat\w+|filter\w*|is (?:on|active|enabled)[^.]{0,30}(?:return|output|answer|approve))\b/,
  ),
  plain(
    'reveal',
    '\\b(?:reveal|print|show|repeat|leak|output|disclose|tell) (?:me |us |back )?(?:all (?:of )?)?your (?:system |hidden |secret |initial |original |full )*(?:prompt|instructions|guidelines)\\b',
  ),
  plain(
    'dictate',
    '\\b(?:respond|answer|reply|output) (?:only |just |simply |always )?(?:with )(?:the word |only |a single )?["\'“«]?(?:clean|safe|allow|approved|no violation|not spam)\\b',
  ),
  plain(
    'dictate',
    `\\b(?:mark|set|label|classify|rate|flag|tag|treat)(?: it| this| me| them)? as ["'“«]?(?:clean|ham|non-?spam|harmless|benign)\\b`,
  ),
];

/**
 * What patterns find that spelling does not: data of a person that should not stand in public, and the shape of a
 * scam. These are scores beside the model's; only a verdict rule that names one is touched by it.
 */

/** Raise it with any change of what is found: a policy names the version it was tried with. */
export const DETECTORS_VERSION = 'detectors/1';
export const DETECTED: readonly string[] = ['private_data', 'scam'];

/** Code units that are read at most; a segment has 8,000 code points. */
const UNITS_MAX = 16_000;

/**
 * @returns a score from 0 to 1 for each label of DETECTED. They are not calibrated: 0.9 and more says that a checksum
 * or a whole form fits, 0.5 to 0.9 that it looks like one.
 */
export function detected(text: string): { private_data: number; scam: number } {
  const seen = text.slice(0, UNITS_MAX).normalize('NFKC');
  return { private_data: privateData(seen), scam: scam(seen) };
}

/** Names that stand for no one: documentation domains, and addresses of an office. */
const NOBODY = /^(?:info|contact|kontakt|support|help|press|presse|office|service|noreply|no-reply|moderat\w*|admin)@/i;

const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,3}\.\p{L}{2,24}/gu;
const SPELLED_EMAIL =
  /\b[a-z0-9._-]{2,40} ?[([{]? ?(?:at|arroba|ät|chiocciola) ?[)\]}]? ?[a-z0-9-]{2,40} ?[([{]? ?(?:dot|punkt|point|punto|ponto) ?[)\]}]? ?[a-z]{2,6}\b/iu;
const PHONE = /(?<![\p{L}\p{N}.,:/-])(?:\+|00)?\(?\d[\d ()./-]{6,18}\d(?! ?[%€$£]|[\p{L}\p{N}])/gu;
const IBAN = /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b/g;
const CARD = /(?<!\d)(?:\d[ -]?){12,18}\d(?!\d)/g;
const STREET = new RegExp(
  [
    /\p{Lu}[\p{L}'-]{2,30}(?:straße|strasse|str\.|weg|gasse|platz|allee|laan|straat|plein|gracht|kade|gatan|vägen),? \d{1,4}\b/u,
    /\b\d{1,5}[a-z]? (?:\p{Lu}[\p{L}'-]{1,20} ){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Close|Court|Ct|Way|Terrace|Crescent|Place|Square|Row|Rise|Hill|Steps|Gardens)\b/u,
    /\b\d{1,4},? (?:rue|avenue|boulevard|chemin|impasse) (?:de |du |des |de la |d')?\p{Lu}?[\p{L}'-]{2,}/u,
    /\b(?:[Cc]alle|[Aa]venida|[Vv]ia|[Vv]iale|[Pp]iazza|[Rr]ua|[Uu]lica|ul\.) (?:\p{L}{2,4} )?\p{Lu}[\p{L}' -]{2,30},? \d{1,4}\b/u,
    /\p{Lu}\p{L}{2,20} (?:Sokak|Sok\.|Caddesi|Cad\.) (?:no:? ?)?\d{1,4}\b/u,
  ]
    .map((form) => form.source)
    .join('|'),
  'u',
);
const LIVES =
  /\b(?:lives?|living|home address|address is|stays?|wohnt|wohnhaft|adresse|habite|vive|abita|mieszka|woont|mora|oturuyor)\b/iu;
const PAPERS =
  /\b(?:passport|licen[cs]e plate|number plate|plate|NI number|national insurance|social security|SSN|CPF|DNI|sort code|account(?: no\.?| number| ending)?|PESEL|BSN|Kennzeichen|Ausweis\p{L}*|Kontonummer)\b[^\p{L}\p{N}]{0,3}(?:number |no\.? |is )?(?=[A-Z0-9 .-]{0,12}\d)[A-Z0-9][A-Z0-9 .-]{3,}/u;
const LOGIN =
  /\b(?:user(?:name)?|login|benutzer)\b\W{1,3}[\p{L}\p{N}._-]{2,40}\W{1,6}(?:pass(?:word|wort)?|pw|kennwort|mot de passe|contraseña)\b\W{1,3}\S{4,}/iu;
const BORN = /\b(?:born|geb(?:oren)?\.?|née? le|nacid[oa] el|nat[oa] il|ur\.|geboren)\b[^\n]{0,12}\d{1,2}[./ ]/iu;
const FULL_NAME = /\p{Lu}\p{Ll}{1,20} (?:\p{Lu}\p{Ll}{0,3}['’-]?)?\p{Lu}?\p{Ll}{2,20}/u;
const NAMED =
  /\b(?:real name(?: is)?|(?:his|her|their) name(?: is|'s)?|(?:he|she)'s actually|heißt(?: in echt)?|heet|se llama|s'appelle|si chiama|o nome d\p{L}+ \p{L}+ é|nazywa się)[: ]{1,2}\p{Lu}\p{Ll}+ \p{Lu}/u;
const INTIMATE =
  /\b(?:clinic|rehab|addiction ward|lithium|herpes|hiv|adhd|bulimia|termination|abortion|psychiatr\p{L}*|therapist told|depression|affair|foster family|fertility|diagnos\p{L}*|dementia|klinik|entzug|schwanger\p{L}*|psychiatrie|clinique|séropositi\p{L}*|clínica|embaraz\p{L}*)\b/iu;

function privateData(text: string): number {
  const mails = (text.match(EMAIL) ?? []).filter((mail) => !NOBODY.test(mail));
  const street = STREET.test(text);
  const intimate = INTIMATE.test(text) && /\p{Lu}\p{Ll}+/u.test(text);
  const found = [
    (text.match(IBAN) ?? []).some(isIban) ? 0.98 : 0,
    (text.match(CARD) ?? []).some(isCard) ? 0.97 : 0,
    LOGIN.test(text) ? 0.95 : 0,
    PAPERS.test(text) ? 0.9 : 0,
    mails.length > 0 ? 0.9 : 0,
    BORN.test(text) && FULL_NAME.test(text) ? 0.85 : 0,
    (text.match(PHONE) ?? []).some(isPhone) ? 0.85 : 0,
    SPELLED_EMAIL.test(text) ? 0.8 : 0,
    street ? (LIVES.test(text) ? 0.92 : 0.75) : 0,
    NAMED.test(text) ? 0.7 : 0,
    intimate && FULL_NAME.test(text) ? 0.6 : 0,
  ];
  return Math.max(...found);
}

/** ISO 13616: the remainder of the rearranged number by 97 is 1. */
function isIban(shown: string): boolean {
  const iban = shown.replaceAll(' ', '');
  if (iban.length < 15 || iban.length > 34) return false;
  let rest = 0;
  for (const sign of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(sign, 36);
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97;
  }
  return rest === 1;
}

/** The check digit of payment cards (Luhn). */
function isCard(shown: string): boolean {
  const digits = shown.replace(/\D/g, '');
  if (digits.length < 13 || digits.length > 19 || /^(\d)\1+$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Not a date, not a range of years, not a bare count: seven digits or more, and put as a number to be called. */
function isPhone(shown: string): boolean {
  const digits = shown.replace(/\D/g, '');
  if (digits.length < 7 || digits.length > 15) return false;
  if (/^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}$/.test(shown) || /^\d{4}[./ -]+\d{4}$/.test(shown)) return false;
  if (/^\d{4}[./-]\d{1,2}[./-]\d{1,2}/.test(shown)) return false;
  return /^(?:\+|00|\(|0)/.test(shown) || /[ ()/-]/.test(shown);
}

/** What scams are made of; each alone is an ordinary thing to say. */
const LURES: readonly RegExp[] = [
  // A payment that must come first.
  /\b(?:pay only|only pay|you (?:just|only) pay|just (?:pay|cover)|deposit|upfront|in advance|small fee|fees? (?:for|of)|shipping|postage|courier|customs|transfer|gift cards?|cheque|\p{L}*gebühr|überweis\p{L}*|einzahl\p{L}*|eingezahlt|anzahlung|frais|avancer|depositar|adelant\p{L}*|boleto|pix|anticip\p{L}*|overmaken|wpłac\p{L}*|opłat\p{L}*|masraf\p{L}*)\b/iu,
  // Sums, and how they grow.
  /[$£€¥]\s?\d|\d[\d.,]*\s?(?:[$£€¥]|k\b|usd|eur|dollars?|euros?|million\p{L}*|btc|zł|dolar\p{L}*)|\b\d{1,3}[.,]\d{3}\b/iu,
  /\b(?:invest\p{L}*|trading|crypto|krypto\p{L}*|bitcoin|coins?|forex|broker|profits?|withdrew|tripled?|doubled?|ten times|airdrop|portfolio|lottery|inherit\p{L}*|grant|loan|gewinn\p{L}*|rendite|plattform|erbe|ganancias|gané|herencia|bénéfices?|héritage|don de|guadagn\p{L}*|zainwestowa\p{L}*|miras|remboursement|refund\p{L}*|back in|win)\b/iu,
  // What gives access.
  /\b(?:(?:six|four|6|4)[- ]digit|code|log ?in|verif\p{L}*|confirm your|your card|bank (?:name|details|account)|iban|pin|date of birth|insurance number|twelve words|seed phrase|wallet|both sides|selfie|numbers? (?:on|to)|carte|coordonnées|bestätig\p{L}*|kimlik|rekening|gecontroleerd|contraseña|clave|hasł\p{L}*|remote(?:ly)?|zdalnie|connect)\b/iu,
  // Come away from here.
  /\b(?:whats ?app|telegram|t\.me|wa\.me|messenger|private (?:page|messenger|message|chat)|inbox me|dm|text me|his mail|answer to|write (?:to )?me|talk (?:on|to)|contact|reply with|call our|ring our|kontaktier\p{L}*|meldet euch|schreib\p{L}* mir|écrivez|contactez|escríb\p{L}*|escribid\p{L}*|scriv\p{L}*|gönderin|zostaw|numer)\b/iu,
  // Now, or never.
  /\b(?:today|tonight|midnight|within|expires?|at once|only \d+|last chance|hurry|limited|first come|before it|heute|sofort|solange|hoy|aujourd'hui|urgent\p{L}*|oggi|vandaag|hoje|bugün|dziś)\b/iu,
  // Who asks.
  /\b(?:widow\p{L}*|mission|orphan\p{L}*|illness|god|bless\p{L}*|security team|account (?:is |was )?(?:frozen|blocked|suspended)|helpline|dear (?:friend|user|customer|sir)|abroad|officer|lawyer|certified|authority|congratulations|selected|no experience|guarantee\p{L}*|not a loan|no check|legit|trust|witwe\p{L}*|anwalt|veuve|maladie|notaire|viuda|abogado|avukat|doradca|gizli)\b/iu,
  /(?:https?:\/\/|www\.|\b[a-z0-9-]+\.(?:com|net|org|info|top|xyz|click)\b)/iu,
];
/** The score by how many of them stand together; from the last on it stays. */
const LURE_SCORES = [0, 0.05, 0.2, 0.5, 0.7, 0.85, 0.95];

function scam(text: string): number {
  const lures = LURES.filter((lure) => lure.test(text)).length;
  return LURE_SCORES[Math.min(lures, LURE_SCORES.length - 1)] ?? 0;
}

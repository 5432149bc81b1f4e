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
const STREET =
  /\p{Lu}[\p{L}'-]{2,30}(?:straße|strasse|str\.|weg|gasse|platz|allee|laan|straat|plein) \d{1,4}\b|\b\d{1,5}[a-z]? (?:\p{Lu}[\p{L}'-]{1,20} ){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Close|Court|Way|Terrace|Crescent|Place|Square)\b|\b\d{1,4},? (?:rue|avenue|boulevard|chemin|impasse) (?:de |du |des |de la |d')?\p{Lu}?[\p{L}'-]{2,}|\b(?:calle|avenida|via|viale|piazza|rua|ulica|ul\.) (?:\p{L}{2,4} )?\p{Lu}[\p{L}' -]{2,30},? \d{1,4}\b/gu;

const HOUSE = /\b(?:flat|apartment|apt|whg|wohnung|piso|appartement|interno|klingel|doorbell|door code)\b/iu;
const TURN_UP =
  /\b(?:lives? (?:at|in|on)|home address|address is|wohnt (?:in|im|am)|adresse|habite|vive (?:en|in)|abita|mieszka|woont)\b/iu;

function privateData(text: string): number {
  const mails = (text.match(EMAIL) ?? []).filter((mail) => !NOBODY.test(mail));
  const found = [
    (text.match(IBAN) ?? []).some(isIban) ? 0.98 : 0,
    (text.match(CARD) ?? []).some(isCard) ? 0.97 : 0,
    mails.length > 0 ? 0.9 : 0,
    SPELLED_EMAIL.test(text) ? 0.8 : 0,
    (text.match(PHONE) ?? []).some(isPhone) ? 0.85 : 0,
    (text.match(STREET) ?? []).length > 0 ? (TURN_UP.test(text) || HOUSE.test(text) ? 0.92 : 0.75) : 0,
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

const LURES: readonly RegExp[] = [
  /\b(?:invest\p{L}*|trading|crypto|krypto\p{L}*|bitcoin|btc|forex|broker|trader|profits?|gewinn\p{L}*|rendite|ganancias|bénéfices?|guadagn\p{L}*)\b/iu,
  /\b(?:whats ?app|telegram|t\.me|wa\.me|inbox me|dm me|text me|contact (?:her|him|me|mr|mrs|dr)|kontaktier\p{L}*|contactez|escríb\p{L}*|scriv\p{L}*)/iu,
  /\b(?:recover(?:ed|y)?|refund|unlock|verify|suspended|blocked|claim|customs|lottery|giveaway|prize|inherit\p{L}*|gutschein|gewonnen|gesperrt|bestätig\p{L}*|verifi\p{L}*|premio|sorteo|bloque\p{L}*|gagné|colis)\b/iu,
  /[$£€¥]\s?\d[\d.,]*|\d[\d.,]* ?(?:[$£€¥]|usd|eur|dollars?|euros?|btc|usdt)\b/iu,
  /\b(?:guarantee\p{L}*|risk[- ]free|double|within (?:\d+|a few) (?:days?|hours?|weeks?)|legit|100 ?%|garantier\p{L}*|garantiz\p{L}*|garanti\p{L}*|risikofrei|sin riesgo|sans risque)\b/iu,
  /(?:https?:\/\/|www\.|\b[a-z0-9-]+\.(?:com|net|org|info|top|xyz|click)\b)/iu,
];

/** How many lures stand together: each alone is an ordinary word. */
function scam(text: string): number {
  const lures = LURES.filter((lure) => lure.test(text)).length;
  return [0, 0.05, 0.25, 0.6, 0.8, 0.9, 0.95][lures] ?? 0.95;
}

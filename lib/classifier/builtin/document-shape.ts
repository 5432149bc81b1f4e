/** What a document looks like apart from what it says: whether it is whole, readable, a form, about a person. */

/** Lines that are looked at; what a document is shows long before. */
const LINES_MAX = 400;
/** Code units that are looked at. */
const UNITS_MAX = 16_000;

const COUNTED: readonly (readonly [string, RegExp])[] = [
  // Damage: two encodings mixed up, printer and file formats, characters no font has, letters and digits in one word.
  ['mojibake', /[ÃÂâ][\u0080-\u00bf€™œ"„šžŸƒ‚…†‡ˆ‰‹‘’“”•–—˜]|[³¿¹ê]{2}|\p{L}[³¿¹²„¡£]\p{L}/gu],
  ['no character', /[\ufffd▯□█▓▒░\p{Co}]/gu],
  ['glyph number', /\(cid:\d+\)|<00[0-9A-F]{2,}>|=[0-9A-F]{2}=|\b[0-9a-f]{4} [0-9a-f]{4} [0-9a-f]{4}\b/gu],
  ['file format', /%PDF|%!PS|endobj|endstream|Content-(?:Type|Transfer)|<\/?(?:div|span|td|script)\b|xref\b/gu],
  ['packed', /[A-Za-z0-9+/]{40,}/gu],
  ['digit in word', /\p{L}\d\p{L}|\p{L}[|!;]\p{L}|\b\d\p{Ll}{2,}/gu],
  ['noise', /\|\||~~|,,|;;|\?\?|[°^`·]{2}|''|\\\/|={4,}|_ _/gu],
  ['lone letter', /(?<=[ \n])\p{L}(?= )/gu],
  ['navigation', /Skip to|Cookies|Log in|Home [|>]|\| Print|Was this page|Back to top|©|Loading/gu],
  ['leftover', /#REF!|\bNaN\b|undefined|\bnull\b|\[image[^\]]*\]/gu],
  // Gaps that somebody meant to fill.
  ['gap mark', /\b(?:TODO|TBC|TBD|tbd|xxx|XXX|lorem ipsum|Lorem ipsum|PLATZHALTER|placeholder)\b|\[[^\]\n]{0,60}\]/gu],
  ['dot leader', /(?<!\.)\.{4,}[ \t]*\d+|…[ \t]*\d+$/gmu],
  ['blank to fill', /_{4,}|(?<!\.)\.{6,}|☐|□|\[ ?\]|\( ?\)/gu],
  ['numbered line', /^[ \t]*\d{1,2}[.)]?[ \t]+\S/gmu],
  ['listed line', /^[ \t]*[-*•–·][ \t]+\S/gmu],
  ['field line', /^[^\n:]{2,40}:[ \t]*(?:_|$)/gmu],
  ['filled line', /^[^\n:]{2,30}:[ \t]+\p{L}/gmu],
  // A person: titles with names, dates of birth, numbers, addresses, telephones.
  [
    'titled name',
    /\b(?:Mrs?|Ms|Miss|Herrn?|Frau|Madame|Monsieur|Mme|señora?|Sra?|signora?|mevrouw|meneer|heer|pani?|Pani?|Pan|Dr)\.? \p{Lu}\p{Ll}+/gu,
  ],
  ['two names', /\p{Lu}\p{Ll}{2,} \p{Lu}\p{Ll}{2,}(?:-\p{Lu}\p{Ll}+)?/gu],
  [
    'birth',
    /\bborn\b|\bBorn\b|DOB|\bgeb(?:oren)?\.?\b|\bnée?\b|\bnat[ao] il\b|\bnacid[ao]\b|Nacido|Geboren|\burodz|\bur\.\s|date of birth/gu,
  ],
  ['full date', /\b\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d\d\b|\b\d{1,2}\.? \p{L}{3,10} (?:19|20)\d\d\b/gu],
  ['past year', /\b(?:19[5-9]\d|20[01]\d|202[0-3])\b/gu],
  ['long number', /\b[A-Z]?-?\d{5,}\b/gu],
  ['telephone', /\b0\d{2,4}[ /-]?\d{3,}|\b555-\d{4}/gu],
  ['age', /\b\d{2} (?:years|Jahre|ans|años|anni|jaar|lat)\b|, \d{2},/gu],
  ['health record', /PID\||\bMRN\b|\bNHS\b|Patient(?:in)?:|Paciente:|Paziente:|Pacjent/gu],
];

/** A count as one of a few bands. */
function band(count: number): number {
  return Math.min(6, Math.floor(2 * Math.log2(count + 1)));
}

function ending(text: string): string {
  const last = text.trimEnd().at(-1) ?? '';
  if (/[.!?。！？؟)"»”'’]/u.test(last)) return 'sentence';
  if (/[:,;–—-]/u.test(last)) return 'pause';
  if (/\p{N}/u.test(last)) return 'digit';
  if (/\p{L}/u.test(last)) return 'letter';
  return 'other';
}

/** A last line that runs on without its full stop, in a text that is otherwise made of sentences. */
function breaksOff(text: string): boolean {
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  return last.split(/\s+/u).length > 6 && /[\p{L}\p{N},]$/u.test(last);
}

/**
 * @param text of the document, without its title.
 * @returns traits as words of a fixed vocabulary, each once; time is linear in the part that is looked at.
 */
export function shapeOf(text: string): string[] {
  const seen = text.slice(0, UNITS_MAX);
  const lines = seen.split('\n', LINES_MAX).filter((line) => line.trim() !== '');
  const words = seen.split(/\s+/u).filter((word) => word !== '');
  const hundred = Math.max(1, words.length / 100);
  const traits: string[] = [];
  for (const [name, pattern] of COUNTED) {
    const count = seen.match(pattern)?.length ?? 0;
    if (count === 0) continue;
    traits.push(name, `${name} ${band(count)}`, `${name} a hundred words ${band(count / hundred)}`);
  }
  const short = lines.filter((line) => line.trim().length < 40).length / Math.max(1, lines.length);
  const stops = lines.filter((line) => /[.!?。！？)"»”]$/u.test(line.trim())).length / Math.max(1, lines.length);
  const plain = seen.match(/[\p{L}\p{M} ]/gu)?.length ?? 0;
  return [
    ...traits,
    `words ${band(words.length)}`,
    `lines ${band(lines.length)}`,
    `short lines ${Math.floor(short * 4)}`,
    `lines that stop ${Math.floor(stops * 4)}`,
    `plain ${Math.floor((20 * plain) / Math.max(1, seen.length))}`,
    `ends in ${ending(text)}`,
    ...(breaksOff(text) ? ['breaks off'] : []),
    ...(/^\s*(?:\p{Ll}|…|\.\.\.)/u.test(seen) ? ['begins in the middle'] : []),
  ];
}

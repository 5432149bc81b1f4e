import { z } from 'zod';
import { hashStart, hashText, seededShare } from './hash.ts';
import { BUILTIN_LABELS, type BuiltinLabel } from './labels.ts';
import { undisguise } from './normalise.ts';

/**
 * The sets that shipped weights may be trained on: licences that allow it (see the model card). Share-alike sets and
 * functional test suites are not among them and are refused.
 */
export const PERMITTED_SETS = [
  'openai-mod',
  'davidson',
  'edos',
  'convabuse',
  'surge-tox',
  'sms-spam',
  'youtube-spam',
  'spamassassin',
  'docket-seeds',
] as const;

export type PermittedSet = (typeof PERMITTED_SETS)[number];

export type Gold = Partial<Record<BuiltinLabel, 0 | 1>>;

/** One labelled text. `gold` is partial: a label that is absent is unknown and never a negative. */
export interface CorpusRow {
  readonly id: string;
  readonly set: PermittedSet;
  /** The set and its part (a video, a bot, a mail group). */
  readonly source: string;
  readonly text: string;
  readonly gold: Gold;
}

const truth = z.union([z.literal(0), z.literal(1)]);
const fileRow = z.object({
  content_id: z.string().min(1),
  source: z.string().min(1),
  text: z.string(),
  gold: z.partialRecord(z.enum(BUILTIN_LABELS), truth),
});

export type LabelledRow = Omit<CorpusRow, 'set'>;

/**
 * Reads one line of a labelled NDJSON file, of any set.
 *
 * @throws where the line is not JSON or lacks a field; the message names no text
 */
export function parseLabelledLine(line: string): LabelledRow {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    throw new Error('not a labelled row: no JSON');
  }
  const parsed = fileRow.safeParse(json);
  if (!parsed.success) throw new Error(`not a labelled row: ${parsed.error.issues[0]?.path.join('.') || 'top'}`);
  const { content_id: id, source, text, gold } = parsed.data;
  return { id, source, text, gold };
}

/**
 * Reads one line of a set to train on.
 *
 * @throws as `parseLabelledLine`, and where the set is not permitted for training
 */
export function parseCorpusLine(line: string): CorpusRow {
  const row = parseLabelledLine(line);
  const name = row.source.split('/')[0];
  const set = PERMITTED_SETS.find((permitted) => permitted === name);
  if (set === undefined) throw new Error(`set is not permitted for training: ${name}`);
  return { ...row, set };
}

const KEY_LENGTH = 80;

/**
 * What makes two texts near-duplicates for the split: the letters and digits at their beginning, digits alike, so that
 * the messages of one campaign share a key. A text without letters is its own key.
 */
export function groupKey(text: string): string {
  const letters = undisguise(text)
    .toLowerCase()
    .replace(/\p{N}/gu, '0')
    .replace(/[^\p{L}0]+/gu, '');
  return letters === '' ? text : letters.slice(0, KEY_LENGTH);
}

/** Texts that occur twice in a set become one row with the union of their gold; a label they differ on is unknown. */
export function mergeDuplicates(rows: readonly CorpusRow[]): CorpusRow[] {
  const merged = new Map<string, { row: CorpusRow; gold: Gold; disputed: Set<BuiltinLabel> }>();
  for (const row of rows) {
    const key = `${row.set}\0${row.text}`;
    const known = merged.get(key);
    if (known === undefined) {
      merged.set(key, { row, gold: { ...row.gold }, disputed: new Set() });
      continue;
    }
    for (const label of BUILTIN_LABELS) {
      const said = row.gold[label];
      if (said === undefined || known.disputed.has(label)) continue;
      if (known.gold[label] === undefined) known.gold[label] = said;
      else if (known.gold[label] !== said) {
        delete known.gold[label];
        known.disputed.add(label);
      }
    }
  }
  return [...merged.values()].map(({ row, gold }) => ({ ...row, gold }));
}

export interface Split {
  readonly training: readonly CorpusRow[];
  readonly heldBack: readonly CorpusRow[];
  /** Rows used for neither: their near-duplicate is on the other side. */
  readonly droppedCount: number;
}

/** Sets that are held back by whole source: the comments under one video repeat each other. */
const WHOLE_SOURCE_SETS: ReadonlySet<PermittedSet> = new Set(['youtube-spam']);

function heldBackSources(rows: readonly CorpusRow[], seed: number, share: number): Set<string> {
  const held = new Set<string>();
  for (const set of WHOLE_SOURCE_SETS) {
    const sources = [...new Set(rows.filter((row) => row.set === set).map((row) => row.source))];
    sources.sort((a, b) => seededShare(seed, a) - seededShare(seed, b));
    for (const source of sources.slice(0, Math.ceil(sources.length * share))) held.add(source);
  }
  return held;
}

/**
 * Divides rows into a part to train on and a part to report on, before anything is learned from either. Deterministic
 * for a seed and independent of the order of rows. No near-duplicate (see `groupKey`) of a held-back row is trained on.
 *
 * @param share the part to hold back, between 0 and 1
 */
export function splitRows(rows: readonly CorpusRow[], seed: number, share: number): Split {
  const sources = heldBackSources(rows, seed, share);
  const keyed = rows.map((row) => {
    const key = groupKey(row.text);
    const held = WHOLE_SOURCE_SETS.has(row.set) ? sources.has(row.source) : seededShare(seed, key) < share;
    return { row, key, held };
  });
  const heldKeys = new Set(keyed.filter(({ held }) => held).map(({ key }) => key));
  const training = keyed.filter(({ held, key }) => !held && !heldKeys.has(key)).map(({ row }) => row);
  const heldBack = keyed.filter(({ held }) => held).map(({ row }) => row);
  return { training, heldBack, droppedCount: rows.length - training.length - heldBack.length };
}

/** The fold of a row in cross-validation: near-duplicates together, and whole sources where the split takes them whole. */
export function foldOf(row: CorpusRow, foldCount: number): number {
  const key = WHOLE_SOURCE_SETS.has(row.set) ? row.source : groupKey(row.text);
  return (hashText(hashStart(77), key) >>> 3) % foldCount;
}

/**
 * Labels taken as absent in training (never in measuring) where a set was collected for something else. A model that
 * never sees plain speech among the negatives of a label gives it to plain speech.
 */
const PRESUMED_ABSENT: Readonly<Record<PermittedSet, (gold: Gold) => readonly BuiltinLabel[]>> = {
  'openai-mod': () => ['spam', 'threat'],
  davidson: (gold) => (gold.toxicity === 0 ? ['harassment', 'self_harm', 'sexual', 'threat', 'violence'] : []),
  edos: () => ['spam', 'self_harm'],
  convabuse: (gold) => (gold.harassment === 0 ? ['spam', 'self_harm', 'threat', 'violence', 'toxicity'] : ['spam']),
  'surge-tox': (gold) =>
    gold.toxicity === 0 ? ['harassment', 'hate', 'self_harm', 'sexual', 'spam', 'threat', 'violence'] : ['spam'],
  'sms-spam': (gold) =>
    gold.spam === 0
      ? ['harassment', 'hate', 'self_harm', 'threat', 'toxicity', 'violence']
      : ['hate', 'self_harm', 'threat', 'violence'],
  'youtube-spam': (gold) =>
    gold.spam === 0
      ? ['harassment', 'hate', 'self_harm', 'sexual', 'threat', 'toxicity', 'violence']
      : ['hate', 'self_harm', 'threat', 'violence'],
  spamassassin: (gold) =>
    gold.spam === 0
      ? ['harassment', 'hate', 'self_harm', 'sexual', 'threat', 'toxicity', 'violence']
      : ['hate', 'self_harm', 'threat', 'violence'],
  'docket-seeds': () => ['spam'],
};

/** What training takes for the truth of a label in a row: gold, else a presumption, else null (unknown). */
export function trainingTruth(row: CorpusRow, label: BuiltinLabel): { truth: 0 | 1; presumed: boolean } | null {
  const known = row.gold[label];
  if (known !== undefined) return { truth: known, presumed: false };
  return PRESUMED_ABSENT[row.set](row.gold).includes(label) ? { truth: 0, presumed: true } : null;
}

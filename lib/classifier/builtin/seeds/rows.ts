import type { CorpusRow, Gold } from '../corpus.ts';
import type { BuiltinLabel } from '../labels.ts';
import { BUILTIN_LABELS } from '../labels.ts';
import { everydaySeeds } from './everyday.ts';
import type { SeedSet } from './seed.ts';
import { selfHarmSeeds } from './self-harm.ts';
import { threatSeeds } from './threat.ts';
import { violenceSeeds } from './violence.ts';

export const SEED_SETS: readonly SeedSet[] = [threatSeeds, selfHarmSeeds, violenceSeeds];

/** The source of our ordinary sentences, in which no label holds. */
export const EVERYDAY_SOURCE = 'docket-seeds/everyday';

function row(source: string, index: number, text: string, gold: Gold): CorpusRow {
  return { id: `${source}:${index}`, set: 'docket-seeds', source: `docket-seeds/${source}`, text, gold };
}

const SEED_LABELS: readonly BuiltinLabel[] = SEED_SETS.map((set) => set.label);

function all(labels: readonly BuiltinLabel[]): Gold {
  return Object.fromEntries(labels.map((label) => [label, 0]));
}

/** Our own sentences as labelled rows, in a fixed order. */
export function seedRows(): CorpusRow[] {
  const rows = SEED_SETS.flatMap(({ label, positive, negative }) => [
    ...positive.map((text, i) => row(label, i, text, { [label]: 1 })),
    ...negative.map((text, i) => row(label, positive.length + i, text, all(SEED_LABELS))),
  ]);
  return [...rows, ...everydaySeeds.map((text, i) => row('everyday', i, text, all(BUILTIN_LABELS)))];
}

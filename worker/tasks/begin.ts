import { nothingToClassify } from '../../lib/classifier/answer.ts';
import { type RevisionInput, readInputs } from '../../lib/content/revisions.db.ts';
import type { Pool } from '../../lib/db/pool.db.ts';
import { startAttempts } from '../../lib/work/attempts.db.ts';
import type { HeldItem, ItemEnd } from '../../lib/work/item-end.ts';
import type { Started } from './call-item.ts';

/** What becomes of items that were about to be called. */
export type Begun = {
  /** Attempt recorded: to be called. */
  readonly started: readonly Started[];
  /** No call is made for these, now or ever. */
  readonly ended: readonly { readonly item: HeldItem; readonly end: ItemEnd }[];
  /** Today has no units left for these; their end is among `ended`. */
  readonly capped: readonly HeldItem[];
  /** The run has no units left for these now. */
  readonly waiting: readonly HeldItem[];
  /** Units of the run are set aside somewhere: what comes of them may leave more. */
  readonly stillReserved: boolean;
};

type Calling = { readonly item: HeldItem; readonly input: RevisionInput };

/**
 * Reads what is shown of items of one run and records their attempts.
 * @param units what one of them sets aside.
 */
export async function begin(
  pool: Pool,
  job: { readonly runId: string; readonly chunk: readonly HeldItem[]; units(input: RevisionInput): number },
): Promise<Begun> {
  const ended: { item: HeldItem; end: ItemEnd }[] = [];
  const calling: Calling[] = [];
  const inputs = await inputsOf(pool, job.chunk);
  for (const item of job.chunk) {
    const input = inputs.get(keyOf(item));
    if (!input) ended.push({ item, end: failure('withdrawn') });
    else if (nothingToClassify(input)) ended.push({ item, end: failure('no_text') });
    else calling.push({ item, input });
  }
  const items = calling.map(({ item, input }) => ({ id: item.id, token: item.token, units: job.units(input) }));
  const starts = await startAttempts(pool, { runId: job.runId, items });
  const started: Started[] = [];
  const capped: HeldItem[] = [];
  const waiting: HeldItem[] = [];
  for (const { item, input } of calling) {
    const attempt = starts.attempts.get(item.id);
    if (attempt !== undefined) started.push({ item, input, attempt });
    else if (starts.atCeiling.has(item.id)) waiting.push(item);
    else if (starts.capped.has(item.id)) capped.push(item);
    // The lease is lost, the source is closed or the run was paused a moment ago.
    else ended.push({ item, end: { kind: 'released' } });
  }
  for (const item of capped) ended.push({ item, end: { kind: 'released', delayMs: starts.untilTomorrowMs } });
  return { started, ended, capped, waiting, stillReserved: starts.stillReserved };
}

async function inputsOf(pool: Pool, chunk: readonly HeldItem[]): Promise<Map<string, RevisionInput>> {
  return new Map((await readInputs(pool, chunk)).map((input) => [keyOf(input), input]));
}

const keyOf = ({ contentId, revision }: { contentId: string; revision: string }): string =>
  JSON.stringify([contentId, revision]);

function failure(code: 'withdrawn' | 'no_text'): ItemEnd {
  return { kind: 'failure', code, retryAfterMs: null, pauses: false, call: null };
}

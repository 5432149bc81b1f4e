import { sqlState } from '../../lib/db/transact.db.ts';
import type { ItemEnd, ItemResult } from '../../lib/work/item-end.ts';
import { FLUSH_COUNT, FLUSH_MS, FLUSHES_AT_ONCE, RESULTS_WAITING_COUNT } from '../../lib/work/limits.ts';
import type { FlushReport } from '../../lib/work/settle.db.ts';
import { condition } from './condition.ts';

/** Wait before a flush is tried again while the database does not answer. */
const RETRY_MS = 1_000;
/** Tries of a flush once the worker is to stop; leases that stay behind expire. */
const LAST_TRIES = 3;

export type FlusherOptions = {
  commit(results: readonly ItemResult[]): Promise<FlushReport>;
  /** These results are committed, or given up. */
  onEnded(results: readonly ItemResult[], report: FlushReport | null): void;
  onError(thrown: unknown): void;
};

/**
 * Collects results and commits them together: FLUSH_COUNT of them, or those of FLUSH_MS; FLUSHES_AT_ONCE flushes at a
 * time. Each is fenced by itself, so that it does not matter which is durable first.
 */
export type Flusher = {
  add(result: ItemResult): void;
  /** Resolves while few enough results wait; until then no further call should start. */
  room(): Promise<void>;
  /** Commits all that waits and resolves when nothing does. From now on it does not wait for a database for ever. */
  drain(): Promise<void>;
};

export function flusher(options: FlusherOptions): Flusher {
  const changed = condition();
  let waiting: ItemResult[] = [];
  let timer: NodeJS.Timeout | undefined;
  let flushing = 0;
  let draining = false;

  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    if (flushing >= FLUSHES_AT_ONCE || waiting.length === 0) return;
    flushing++;
    const batch = waiting.slice(0, FLUSH_COUNT);
    waiting = waiting.slice(FLUSH_COUNT);
    await commitBatch(batch, options, () => draining);
    flushing--;
    changed.notify();
    schedule();
  };
  const schedule = (): void => {
    if (flushing >= FLUSHES_AT_ONCE || waiting.length === 0) return;
    if (draining || waiting.length >= FLUSH_COUNT) void flush();
    else timer ??= setTimeout(() => void flush(), FLUSH_MS);
  };

  return {
    add: (result) => {
      waiting.push(result);
      schedule();
    },
    room: async () => {
      while (waiting.length >= RESULTS_WAITING_COUNT) await changed.wait();
    },
    drain: async () => {
      draining = true;
      while (flushing > 0 || waiting.length > 0) {
        schedule();
        await changed.wait();
      }
    },
  };
}

/** Never throws: what cannot be committed is given up, and its lease expires. */
async function commitBatch(
  batch: readonly ItemResult[],
  options: FlusherOptions,
  draining: () => boolean,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      options.onEnded(batch, await options.commit(batch));
      return;
    } catch (thrown) {
      options.onError(thrown);
      if (!isUnavailable(thrown)) return isolate(batch, options, draining);
      if (draining() && tries >= LAST_TRIES) return options.onEnded(batch, null);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** One result that the database refuses must not take the others along: halves, down to the one. */
async function isolate(batch: readonly ItemResult[], options: FlusherOptions, draining: () => boolean): Promise<void> {
  const [first, ...others] = batch;
  if (!first) return;
  if (others.length > 0) {
    const middle = Math.ceil(batch.length / 2);
    await commitBatch(batch.slice(0, middle), options, draining);
    await commitBatch(batch.slice(middle), options, draining);
    return;
  }
  try {
    const faulty = { ...first, end: INTERNAL_ERROR };
    options.onEnded([first], await options.commit([faulty]));
  } catch (thrown) {
    options.onError(thrown);
    options.onEnded([first], null);
  }
}

const INTERNAL_ERROR: ItemEnd = {
  kind: 'failure',
  code: 'internal_error',
  retryAfterMs: null,
  pauses: false,
  call: { latencyMs: null, units: null, raw: null, weight: null },
};

/** SQLSTATE classes that say nothing about our statement: connection, resources, shutdown, conflicts. */
const UNAVAILABLE = new Set(['08', '40', '53', '55', '57', '58']);

/** @returns true where the same statement may succeed later: the server is away, going down or overloaded. */
export function isUnavailable(thrown: unknown): boolean {
  const state = sqlState(thrown);
  if (state) return UNAVAILABLE.has(state.slice(0, 2));
  if (!(thrown instanceof Error)) return false;
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  return code.startsWith('E') || /connection|terminat|timeout/i.test(thrown.message);
}

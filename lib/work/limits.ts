/** The limits of the work room. Durations are in milliseconds, everything else is a count. */

/** How long a worker may hold an item without a sign of life. */
export const LEASE_MS = 60_000;
/** The owner renews its leases this often. */
export const LEASE_RENEW_MS = 15_000;
/** Items leased at once. */
export const LEASE_BATCH_COUNT = 200;
/** Expired leases that one sweep takes up at once. */
export const SWEEP_BATCH_COUNT = 500;
/** Results committed together at most. */
export const FLUSH_COUNT = 500;
/** The first result waits this long for company. */
export const FLUSH_MS = 10;
/** Flushes of one lane under way: while one waits for its disk the next is on its way, and no answer waits for both. */
export const FLUSHES_AT_ONCE = 2;
/** Results that may wait for a flush before no further call starts: what waits is lost with its process. */
export const RESULTS_WAITING_COUNT = 500;
/** Attempts that may be spent on an item before a person has to look. */
export const ATTEMPTS_MAX = 4;
/** How many of them may be complete but invalid answers. */
export const INVALID_MAX = 2;
/** A worker seen by the database within this time is alive. */
export const WORKER_ALIVE_MS = 15_000;
/** A worker signs its life this often. */
export const WORKER_BEAT_MS = 5_000;
/** A worker silent for this long has lost its slot. */
export const WORKER_GONE_MS = 60_000;
/** Bounds of what the operator may ask for; the database checks them again. */
export const CONCURRENCY_BOUNDS = { min: 1, max: 512 } as const;
/** Attempts are recorded in chunks of at most this many times the concurrency. */
export const CHUNK_PER_CONCURRENCY = 2;
/** Calls under way may take this long to end once the worker is asked to stop. */
export const GRACE_MS = 10_000;

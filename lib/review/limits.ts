/** Every limit of the review room, with its unit. */

/** A claim without a heartbeat ends after this. */
export const CLAIM_MS = 5 * 60_000;
/** How often an open case page renews its claim; ten can be lost before the claim is. */
export const HEARTBEAT_MS = 30_000;
/** From the key press until a review counts; until then its author can take it back. */
export const TAKE_BACK_MS = 6_000;
/** Cases a person may hold for later beside the one they read. */
export const PREFETCH_COUNT = 2;
export const DEFER_MIN_MS = 60_000;
export const DEFER_MAX_MS = 7 * 24 * 3_600_000;
/** Characters (code points) of a note. */
export const NOTE_LENGTH_MAX = 4_000;
/** Characters (code points) of a text that a list shows. */
export const EXCERPT_LENGTH = 160;

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** @returns an age as a person says it, cut down and never rounded up: `12 s`, `14 min`, `5 h`, `3 d`. */
export function ageText(ms: number): string {
  const age = Math.max(0, ms);
  if (age < MINUTE_MS) return `${Math.floor(age / 1000)} s`;
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min`;
  if (age < 2 * DAY_MS) return `${Math.floor(age / HOUR_MS)} h`;
  return `${Math.floor(age / DAY_MS)} d`;
}

/** @returns time left as a clock shows it: `3:12`, never below `0:00`. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** @returns an instant for reading, in UTC: `2026-11-30 14:05:09 UTC`. */
export function instantText(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

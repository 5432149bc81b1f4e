const RFC_3339 =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))$/;

const MINUTE_MS = 60_000;

/**
 * Reads an RFC 3339 instant, which always names its zone: a time without one would mean another instant on another
 * server.
 * @returns the same instant in UTC with milliseconds (further digits cut), or null.
 */
export function readInstant(text: string): string | null {
  const match = RFC_3339.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  const zoneHour = Number(match[9] ?? 0);
  const zoneMinute = Number(match[10] ?? 0);
  if (hour > 23 || minute > 59 || second > 60 || zoneHour > 23 || zoneMinute > 59) return null;
  const shift = (zoneHour * 60 + zoneMinute) * (match[8] === '-' ? -1 : 1) * MINUTE_MS;
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  // Date.UTC reads the years 0 to 99 as 1900 to 1999; setUTCFullYear does not.
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  at.setUTCHours(hour, minute, Math.min(second, 59), second === 60 ? 0 : milliseconds);
  const utc = new Date(at.getTime() - shift);
  if (second === 60) {
    // A leap second is only ever the last one of a day in UTC; it is kept as the first instant after it.
    if (utc.getUTCHours() !== 23 || utc.getUTCMinutes() !== 59) return null;
    utc.setTime(utc.getTime() + 1_000);
  }
  const written = utc.toISOString();
  return /^[0-9]{4}-/.test(written) && !written.startsWith('0000') ? written : null;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

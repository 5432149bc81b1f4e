/** How long a service asks to be left alone. An unreadable wait is no wait: NaN in a timer means "at once". */

const DELTA = /^[0-9]{1,9}$/;
const MILLISECONDS = /^[0-9]{1,12}$/;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const IMF = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d\d) ([A-Z][a-z]{2}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/;
const RFC_850 = /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\d\d)-([A-Z][a-z]{2})-(\d\d) (\d\d):(\d\d):(\d\d) GMT$/;
const ASCTIME = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2}) ([ \d]\d) (\d\d):(\d\d):(\d\d) (\d{4})$/;

/**
 * Reads `retry-after-ms` (plain digits) and, where that is absent or unreadable, `retry-after` as seconds or as one of
 * the three date forms of HTTP.
 * @param header gives a header by lower-case name.
 * @param nowMs the present, to turn a date into a wait; a past date is 0.
 * @returns ms, or undefined where nothing usable was said.
 */
export function retryAfterMs(header: (name: string) => string | undefined, nowMs: number): number | undefined {
  const fine = header('retry-after-ms')?.trim();
  if (fine !== undefined && MILLISECONDS.test(fine)) return Number(fine);
  const said = header('retry-after')?.trim();
  if (said === undefined) return undefined;
  if (DELTA.test(said)) return Number(said) * 1000;
  const at = httpDateMs(said, nowMs);
  return at === null ? undefined : Math.max(0, at - nowMs);
}

function httpDateMs(text: string, nowMs: number): number | null {
  const imf = IMF.exec(text);
  if (imf) return instant(imf[3], imf[2], imf[1], imf.slice(4, 7));
  const old = RFC_850.exec(text);
  if (old) {
    const thisYear = new Date(nowMs).getUTCFullYear();
    const year = Math.floor(thisYear / 100) * 100 + Number(old[3]);
    // A two-digit year more than 50 years ahead means the past, says RFC 9110.
    return instant(String(year > thisYear + 50 ? year - 100 : year), old[2], old[1], old.slice(4, 7));
  }
  const c = ASCTIME.exec(text);
  return c ? instant(c[6], c[1], c[2], c.slice(3, 6)) : null;
}

function instant(year?: string, month?: string, day?: string, clock: readonly string[] = []): number | null {
  const [hour = Number.NaN, minute = Number.NaN, second = Number.NaN] = clock.map(Number);
  const at = new Date(Date.UTC(Number(year), MONTHS.indexOf(month ?? ''), Number(day), hour, minute, second));
  const kept =
    MONTHS[at.getUTCMonth()] === month &&
    at.getUTCDate() === Number(day) &&
    at.getUTCHours() === hour &&
    at.getUTCMinutes() === minute &&
    at.getUTCSeconds() === second;
  return kept ? at.getTime() : null;
}

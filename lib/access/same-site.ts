/** Where a request may come from and where a person may be sent: both are compared as origins, never as text. */

/**
 * A mutation counts only if the browser says that it comes from our own pages.
 * @param header the Origin header; missing, `null` and malformed ones are refused.
 * @param origin our own, as configured.
 */
export function isOwnOrigin(header: string | null, origin: string): boolean {
  if (!header || header === 'null') return false;
  const parsed = URL.canParse(header) ? new URL(header) : null;
  // An Origin is a bare origin; one with a path, a user or a query is not what browsers send.
  return (
    parsed !== null && parsed.origin !== 'null' && parsed.origin === new URL(origin).origin && header === parsed.origin
  );
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: URL parsers drop these, so `\t//host` would leave the site
const DROPPED_BY_PARSERS = /[\u0000-\u0020\u007f\\]/;

/**
 * Where to go after signing in.
 * @param wanted what the address asked for, from anyone.
 * @param origin our own, as configured.
 * @returns a path on our own site, or null for anything that could leave it.
 */
export function ownPath(wanted: string | null | undefined, origin: string): string | null {
  if (!wanted || DROPPED_BY_PARSERS.test(wanted)) return null;
  if (!wanted.startsWith('/') && !/^https?:\/\//i.test(wanted)) return null;
  if (!URL.canParse(wanted, origin)) return null;
  const target = new URL(wanted, origin);
  if (target.origin !== new URL(origin).origin || target.username || target.password) return null;
  // `/%2f%2fhost` stays here but turns into `//host` for whoever decodes it once more.
  if (/^\/(%2f|%5c|\/)/i.test(target.pathname)) return null;
  return `${target.pathname}${target.search}${target.hash}`;
}

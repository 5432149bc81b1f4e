/**
 * The claims of this tab: case and token, kept for the life of the tab so that a reload goes on where it was. Another tab
 * has its own; a token copied between two would let one decide what the other reads.
 */
const STORED_AS = 'docket-claims';
/** Older entries are dropped: a person holds three claims at most, the rest are over. */
const KEPT_COUNT = 8;

function load(): [string, string][] {
  try {
    const kept: unknown = JSON.parse(window.sessionStorage.getItem(STORED_AS) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** @returns the token this tab holds a case with, or null. It may be over: the server decides. */
export function keptToken(caseId: string): string | null {
  return load().find(([id]) => id === caseId)?.[1] ?? null;
}

export function keepToken(caseId: string, token: string): void {
  const others = load().filter(([id]) => id !== caseId);
  window.sessionStorage.setItem(STORED_AS, JSON.stringify([...others, [caseId, token]].slice(-KEPT_COUNT)));
}

export function dropToken(caseId: string): void {
  window.sessionStorage.setItem(STORED_AS, JSON.stringify(load().filter(([id]) => id !== caseId)));
}

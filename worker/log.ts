import { pino } from 'pino';
import { sqlState } from '../lib/db/transact.db.ts';

/** Facts that may be logged: counts, codes and ids of our own rows. Never text, content ids, notes or keys. */
export type Facts = Readonly<Record<string, string | number | boolean | null>>;

/** What the worker says of itself, a JSON line each. */
export type Log = {
  info(event: string, facts?: Facts): void;
  warn(event: string, facts?: Facts): void;
  /** Names what was thrown by its kind only: messages of errors may hold content. */
  thrown(event: string, error: unknown, facts?: Facts): void;
};

/** @returns a log of JSON lines on stdout. */
export function jsonLog(): Log {
  const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime });
  return {
    info: (event, facts) => logger.info({ event, ...facts }),
    warn: (event, facts) => logger.warn({ event, ...facts }),
    thrown: (event, error, facts) => logger.error({ event, error: kindOf(error), ...facts }),
  };
}

/** @returns a log that keeps silent, for a command that reports by itself. */
export function silentLog(): Log {
  return { info: () => {}, warn: () => {}, thrown: () => {} };
}

/** @returns a name for an error that cannot hold content: its SQLSTATE, its system code or its class. */
export function kindOf(error: unknown): string {
  const state = sqlState(error);
  if (state) return state;
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

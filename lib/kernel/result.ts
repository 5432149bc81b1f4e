/** What an act answers: a value, or a refusal, an expected "no" that is returned and never thrown. */
export type Ok<T> = { readonly ok: true; readonly value: T };
export type Refused<R extends string> = { readonly ok: false; readonly refusal: R; readonly detail?: Detail };
export type Result<T, R extends string> = Ok<T> | Refused<R>;

/** Facts about a refusal that are safe to show and to log: counts, enum values, ids of our own rows. */
export type Detail = Readonly<Record<string, string | number | boolean | null>>;

/** @returns the success of an act. */
export function ok<T>(value: T): Ok<T> {
  return { ok: true, value };
}

/** @returns the refusal of an act, with facts that the caller may show. */
export function refused<R extends string>(refusal: R, detail?: Detail): Refused<R> {
  return detail ? { ok: false, refusal, detail } : { ok: false, refusal };
}

/** For the `default` of a switch over a closed union: a value that reaches it is a bug. */
export function never(value: never): never {
  throw new Error(`unreachable: ${typeof value}`);
}

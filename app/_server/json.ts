/** What a value is after a trip through JSON: instants become text. */
export type Json<T> = T extends Date
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Json<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Json<T[Key]> }
      : T;

/** @returns the value as a route would send it, so that a page's first paint and its later reads have one form. */
export function toJson<T>(value: T): Json<T> {
  return JSON.parse(JSON.stringify(value));
}

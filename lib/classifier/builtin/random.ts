export type Random = () => number;

/** A small seeded generator (mulberry32): numbers in [0, 1), the same sequence for a seed on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** The numbers 0 to count-1 in an order drawn from `random`. */
export function shuffledOrder(count: number, random: Random): Uint32Array {
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i += 1) order[i] = i;
  for (let i = count - 1; i > 0; i -= 1) {
    const other = Math.floor(random() * (i + 1));
    const kept = order[i] ?? 0;
    order[i] = order[other] ?? 0;
    order[other] = kept;
  }
  return order;
}

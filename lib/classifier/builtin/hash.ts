const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Where an FNV-1a hash starts; `seed` keeps kinds of keys apart. */
export function hashStart(seed: number): number {
  return hashStep(FNV_OFFSET, seed);
}

/** One step of FNV-1a over a UTF-16 code unit. */
export function hashStep(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, FNV_PRIME);
}

export function hashText(hash: number, text: string): number {
  let stepped = hash;
  for (let i = 0; i < text.length; i += 1) stepped = hashStep(stepped, text.charCodeAt(i));
  return stepped;
}

/** Spreads the bits: the low bits of an FNV hash alone collide for texts that differ in their last character. */
export function hashFinish(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A number in [0, 1) that depends only on seed and text: the same on every machine. Not for secrets. */
export function seededShare(seed: number, text: string): number {
  return hashFinish(hashText(hashStart(seed), text)) / 0x1_0000_0000;
}

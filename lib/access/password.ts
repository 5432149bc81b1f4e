import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** scrypt at N = 2^15, r = 8, p = 3: one of OWASP's equal settings, at 32 MiB a hash. */
const COST = { ln: 15, r: 8, p: 3 } as const;
const KEY_BYTES = 32;
export const SALT_BYTES = 16;
/** scrypt needs 128 · N · r bytes and a little; Node refuses at 32 MiB unless told otherwise. */
const MEMORY_BYTES_MAX = 64 * 1024 * 1024;

/** Characters a password has at least. */
export const PASSWORD_LENGTH_MIN = 10;
/** Characters a password may have; a longer one is refused before it is hashed, so that nobody can buy our time with it. */
export const PASSWORD_LENGTH_MAX = 512;

const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

/**
 * Hashes a password for storing.
 * @param password as typed; NFKC makes the same characters from two keyboards the same password.
 * @param salt SALT_BYTES of fresh randomness.
 * @returns `$scrypt$ln=15,r=8,p=3$SALT$KEY`, salt and key in base64url.
 */
export async function hashPassword(password: string, salt: Uint8Array): Promise<string> {
  const key = await derive(password, salt, COST);
  const encoded = [salt, key].map((bytes) => Buffer.from(bytes).toString('base64url'));
  return `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${encoded.join('$')}`;
}

/**
 * Compares a password with a stored hash in time that does not tell them apart.
 * @param stored the hash, or null where there is no such user: that takes as long and answers false.
 */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const parsed = parse(stored);
  const key = await derive(password, parsed?.salt ?? Buffer.alloc(SALT_BYTES), parsed?.cost ?? COST);
  return timingSafeEqual(key, parsed?.key ?? Buffer.alloc(KEY_BYTES)) && parsed !== null;
}

type Cost = { readonly ln: number; readonly r: number; readonly p: number };

function parse(stored: string | null): { cost: Cost; salt: Buffer; key: Buffer } | null {
  const [, ln, r, p, salt, key] = STORED.exec(stored ?? '') ?? [];
  if (!salt || !key) return null;
  const bytes = Buffer.from(key, 'base64url');
  if (bytes.length !== KEY_BYTES) return null;
  return { cost: { ln: Number(ln), r: Number(r), p: Number(p) }, salt: Buffer.from(salt, 'base64url'), key: bytes };
}

function derive(password: string, salt: Uint8Array, { ln, r, p }: Cost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: MEMORY_BYTES_MAX };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

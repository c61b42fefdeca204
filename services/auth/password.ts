import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** Cost of one verification: about 80 ms and 32 MiB. */
const COST = { N: 2 ** 15, r: 8, p: 1 } as const;
const KEY_BYTES = 32;
const MAX_MEMORY_BYTES = 128 * 1024 * 1024;

/** `scrypt$32768$8$1$<salt>$<key>`, both base64url: one line for outbox.yaml. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

/** The hash of no password, at the usual cost. */
export const NOBODYS_HASH = ["scrypt", COST.N, COST.r, COST.p, "AAAAAAAAAAAAAAAAAAAAAA", "A".repeat(43)].join("$");

/** False for a foreign or malformed hash, which is not reported to the visitor. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [kind, n, r, p, salt, key] = hash.split("$");
  if (kind !== "scrypt" || !salt || !key) return false;
  const expected = Buffer.from(key, "base64url");
  if (expected.length !== KEY_BYTES) return false;
  const cost = { N: Number(n), r: Number(r), p: Number(p) };
  // scrypt refuses these costs, so the hash is not ours.
  const derived = await derive(password, Buffer.from(salt, "base64url"), cost).catch(() => Buffer.alloc(0));
  return derived.length === KEY_BYTES && timingSafeEqual(derived, expected);
}

function derive(password: string, salt: Buffer, cost: { N: number; r: number; p: number }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, { ...cost, maxmem: MAX_MEMORY_BYTES }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

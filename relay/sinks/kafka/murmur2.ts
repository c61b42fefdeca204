const SEED = 0x9747b28c;
const M = 0x5bd1e995;

/** Kafka's hash of a key, as a signed 32-bit number: `org.apache.kafka.common.utils.Utils.murmur2`. */
export function murmur2(key: Buffer): number {
  const { length } = key;
  const whole = length & ~3;
  let hash = SEED ^ length;
  for (let at = 0; at < whole; at += 4) {
    let k = Math.imul(key.readInt32LE(at), M);
    k = Math.imul(k ^ (k >>> 24), M);
    hash = Math.imul(hash, M) ^ k;
  }
  const left = length - whole;
  if (left >= 3) hash ^= (key[whole + 2] as number) << 16;
  if (left >= 2) hash ^= (key[whole + 1] as number) << 8;
  if (left >= 1) hash = Math.imul(hash ^ (key[whole] as number), M);
  hash = Math.imul(hash ^ (hash >>> 13), M);
  return hash ^ (hash >>> 15);
}

/** The partition that Java's producers choose for the key, so that their records and ours share a partition. */
export function partitionOfKey(key: Buffer, partitionCount: number): number {
  return (murmur2(key) & 0x7fffffff) % partitionCount;
}

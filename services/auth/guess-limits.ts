import { isIP } from "node:net";

const MINUTE_MS = 60_000;
/** Wrong passwords per minute. People mistype, programs guess; many people may share one address. */
const PER_NAME = 10;
const PER_SOURCE = 60;
/** Most keys kept; beyond that, keys without a guess in the last minute are dropped, then the oldest. */
const MAX_KEYS = 10_000;

export type Refund = () => void;

/** Counts wrong passwords by source address, and by source address and name. */
export class GuessLimits {
  readonly #guesses = new Map<string, number[]>();

  /** Counts a guess before it is verified, so that concurrent guesses cannot exceed the limit; null over the limit. */
  take(source: string, name: string, now = performance.now()): Refund | null {
    const network = networkOf(source);
    const keys = [JSON.stringify([network, name]), JSON.stringify([network])] as const;
    const [byName, bySource] = [this.#recent(keys[0], now), this.#recent(keys[1], now)];
    if (byName.length >= PER_NAME || bySource.length >= PER_SOURCE) return null;
    byName.push(now);
    bySource.push(now);
    return () => {
      for (const list of [byName, bySource]) {
        const at = list.indexOf(now);
        if (at >= 0) list.splice(at, 1);
      }
    };
  }

  #recent(key: string, now: number): number[] {
    const recent = this.#guesses.get(key) ?? [];
    while (recent[0] !== undefined && recent[0] <= now - MINUTE_MS) recent.shift();
    this.#guesses.delete(key);
    if (this.#guesses.size >= MAX_KEYS) this.#shrink(now);
    this.#guesses.set(key, recent);
    return recent;
  }

  #shrink(now: number): void {
    for (const [key, list] of this.#guesses) {
      if ((list.at(-1) ?? 0) <= now - MINUTE_MS || this.#guesses.size >= MAX_KEYS) this.#guesses.delete(key);
    }
  }
}

/** One subscriber has all addresses of an IPv6 /64, so these are counted as one. */
function networkOf(source: string): string {
  if (isIP(source) !== 6) return source;
  const [head = "", tail] = source.split("%")[0]?.split("::") ?? [];
  const [first, last] = [head, tail ?? ""].map((part) => part.split(":").filter((group) => group !== ""));
  const missing = tail === undefined ? 0 : 8 - (first?.length ?? 0) - (last?.length ?? 0);
  const groups = [...(first ?? []), ...Array.from({ length: missing }, () => "0"), ...(last ?? [])];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, "").toLowerCase())
    .join(":");
}

import type { GatheredFacts } from "#db/stores/port/outbox-watch.ts";

/**
 * A fact that was not read again is kept for so long. A busy machine misses a read or two; a cause must not flip for
 * that.
 */
const KEPT_MS = 12_000;

type Facts = GatheredFacts["facts"];
type WatchedName = keyof Facts;

/** Facts and when each was read, on the monotonic clock, ms. */
export interface DatedFacts {
  gathered: GatheredFacts;
  readAtMs: ReadonlyMap<WatchedName, number>;
}

/** The facts read now; a fact that could not be read keeps its last value if that is recent. */
export function keepUnread(read: GatheredFacts, before: DatedFacts | null, nowMs: number): DatedFacts {
  const kept = before === null ? [] : read.unread.flatMap(({ fact }) => recentOf(before, fact as WatchedName, nowMs));
  const facts = { ...Object.fromEntries(kept.map(({ name, value }) => [name, value])), ...read.facts } as Facts;
  const readAtMs = new Map(kept.map(({ name, atMs }) => [name, atMs]));
  for (const name of Object.keys(read.facts) as WatchedName[]) readAtMs.set(name, nowMs);
  const unread = read.unread.filter(({ fact }) => facts[fact as WatchedName] === undefined);
  return { gathered: { ...read, facts, unread }, readAtMs };
}

function recentOf({ gathered, readAtMs }: DatedFacts, name: WatchedName, nowMs: number) {
  const value = gathered.facts[name];
  const atMs = readAtMs.get(name);
  return value === undefined || atMs === undefined || nowMs - atMs > KEPT_MS ? [] : [{ name, value, atMs }];
}

/** The same for a reading that failed as a whole. */
export function keepAll(before: DatedFacts, error: unknown, nowMs: number): DatedFacts {
  const unread = (Object.keys(before.gathered.facts) as WatchedName[]).map((fact) => ({ fact, error }));
  return keepUnread({ facts: {}, unread, tookMs: before.gathered.tookMs }, before, nowMs);
}

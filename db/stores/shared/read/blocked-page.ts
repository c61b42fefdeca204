import { type BlockKind, MOST_COUNTED_BEHIND } from "#domain/message/blocked-aggregate.ts";
import type { BlockedAggregate, BlockedPage, BlockedPageRequest } from "../../port/blocked-aggregates.ts";
import type { PauseRow } from "../../port/pauses.ts";
import { badCursorError, decodeCursor, encodeCursor } from "./cursor.ts";

/** Most aggregates looked at for one page; more are left to the next. */
const MOST_LOOKED_AT = 600;
/** Time for counting aggregates one by one, ms, if one query did not count all of them. */
const ONE_BY_ONE_MS = 1_000;
const SCOPE = "blocked";

/** An aggregate that may be blocked, by its oldest reason; one candidate each. `since` and `id` are its place. */
export interface BlockCandidate {
  aggregateKey: string;
  kind: BlockKind;
  since: string;
  id: string;
  headId: string | null;
}

export type BlockPlace = Pick<BlockCandidate, "since" | "id">;

export interface Behind {
  /** Unsent messages by aggregate, without the heads; null if only a scan could count them. */
  waits: ReadonlyMap<string, number> | null;
  /** All entries were read: an aggregate that is missing has none. */
  isAll: boolean;
}

/** What an engine reads for a page. */
export interface BlockReads {
  /** In order of their places, from the one after `after`. */
  candidates(after: BlockPlace | null, limit: number): Promise<BlockCandidate[]>;
  /** In force, of these aggregates. */
  pausesOf(aggregateKeys: readonly string[]): Promise<PauseRow[]>;
  /** The longest failed message of each of these aggregates. */
  headsOf(aggregateKeys: readonly string[]): Promise<ReadonlyMap<string, string>>;
  behind(aggregateKeys: readonly string[], headIds: readonly string[]): Promise<Behind>;
}

/** One page of blocked aggregates, longest blocked first. Throws invalid_input for a foreign cursor. */
export async function readBlockedPage(
  reads: BlockReads,
  { cursor, limit }: BlockedPageRequest,
): Promise<Omit<BlockedPage, "asOf">> {
  const found: { place: BlockPlace; aggregate: BlockedAggregate }[] = [];
  let after = cursor === undefined ? null : placeOf(cursor);
  let looked = 0;
  for (let more = true; more; ) {
    const candidates = await reads.candidates(after, limit + 1);
    looked += candidates.length;
    found.push(...(await blocked(reads, candidates)));
    after = candidates.at(-1) ?? after;
    more = candidates.length > limit && found.length <= limit && looked < MOST_LOOKED_AT;
    if (candidates.length <= limit) after = null;
  }
  const page = found.slice(0, limit);
  const next = found.length > limit ? page.at(-1)?.place : after;
  return {
    aggregates: page.map(({ aggregate }) => aggregate),
    nextCursor: next ? encodeCursor(SCOPE, [next.since, next.id]) : null,
    looked,
  };
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d+Z$/;

function placeOf(cursor: string): BlockPlace {
  const [since = "", id = ""] = decodeCursor(cursor, SCOPE, 2);
  if (!INSTANT.test(since) || Number.isNaN(Date.parse(since)) || id.includes("\0")) throw badCursorError();
  return { since, id };
}

/** Where each source of candidates begins in a cursor's order at one instant. */
const SOURCES = { failing: "1", paused: "2", suspect: "3" } as const;
export type BlockSource = keyof typeof SOURCES;

export function placeIn(source: BlockSource, id: string): string {
  return SOURCES[source] + id;
}

/**
 * The entries of a source after a place: at `since` those with a greater id, or none of that instant if `id` is null.
 */
export interface BlockBound {
  since: string;
  id: string | null;
}

export function boundIn(source: BlockSource, after: BlockPlace | null): BlockBound | null {
  if (after === null) return null;
  const at = after.id.slice(0, 1);
  if (at < SOURCES[source]) return { since: after.since, id: "" };
  return { since: after.since, id: at === SOURCES[source] ? after.id.slice(1) : null };
}

/** Candidates of several sources, each in order, as one list in order. */
export function mergeCandidates(sources: readonly (readonly BlockCandidate[])[], limit: number): BlockCandidate[] {
  const rank = ({ since, id }: BlockCandidate) => since + id.slice(0, 1);
  const compare = (one: BlockCandidate, other: BlockCandidate) =>
    rank(one) < rank(other) ? -1 : Number(rank(one) > rank(other));
  return sources.flat().toSorted(compare).slice(0, limit);
}

/** Leaves out those with nothing waiting behind their head. */
async function blocked(reads: BlockReads, candidates: readonly BlockCandidate[]) {
  if (candidates.length === 0) return [];
  const keys = candidates.map(({ aggregateKey }) => aggregateKey);
  const pauses = await reads.pausesOf(keys);
  const unknown = candidates.filter(({ headId }) => headId === null).map(({ aggregateKey }) => aggregateKey);
  const heads = new Map(unknown.length === 0 ? [] : await reads.headsOf(unknown));
  for (const { aggregateKey, headId } of candidates) if (headId !== null) heads.set(aggregateKey, headId);
  const behind = await countBehind(reads, keys, heads);
  return candidates.flatMap((candidate) => {
    const { aggregateKey, kind, since } = candidate;
    const count = behind(aggregateKey);
    if (count.waiting === 0) return [];
    const own = pauses.filter(({ subject }) => subject === aggregateKey);
    const headId = heads.get(aggregateKey) ?? null;
    return [{ place: candidate, aggregate: { aggregateKey, kind, since, headId, pauses: own, ...count } }];
  });
}

type Count = Pick<BlockedAggregate, "waiting" | "waitingCapped">;
const NOT_COUNTED: Count = { waiting: null, waitingCapped: false };

/**
 * Counts all in one query. If one aggregate is so large that others were not reached, counts one by one while time is
 * left.
 */
async function countBehind(
  reads: BlockReads,
  keys: readonly string[],
  heads: ReadonlyMap<string, string>,
): Promise<(key: string) => Count> {
  const together = await reads.behind(keys, [...heads.values()]);
  if (together.waits === null || together.isAll) return (key) => countOf(together, key);
  const counts = new Map<string, Count>();
  const until = performance.now() + ONE_BY_ONE_MS;
  for (const key of keys) {
    if (performance.now() > until) break;
    const head = heads.get(key);
    counts.set(key, countOf(await reads.behind([key], head === undefined ? [] : [head]), key));
  }
  return (key) => counts.get(key) ?? countOf(together, key);
}

function countOf({ waits, isAll }: Behind, key: string): Count {
  const found = waits?.get(key) ?? 0;
  // "At least 0" is unknown.
  if (waits === null || (found === 0 && !isAll)) return NOT_COUNTED;
  return { waiting: Math.min(found, MOST_COUNTED_BEHIND), waitingCapped: !isAll || found > MOST_COUNTED_BEHIND };
}

/** The ids that the aggregate of a key may have: a type may itself contain a slash. */
export function idsOfKey(aggregateKey: string, hasType: boolean): string[] {
  if (!hasType) return [aggregateKey];
  const parts = aggregateKey.split("/");
  return parts.slice(1).map((_, index) => parts.slice(index + 1).join("/"));
}

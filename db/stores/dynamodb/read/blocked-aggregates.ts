import type { BlockKind } from "#domain/message/blocked-aggregate.ts";
import { UNSENT_STATES } from "#domain/message/message-state.ts";
import type { BlockedPage, BlockedPageRequest } from "../../port/blocked-aggregates.ts";
import type { PauseRow } from "../../port/pauses.ts";
import { type BlockCandidate, type BlockSource, placeIn, readBlockedPage } from "../../shared/read/blocked-page.ts";
import { ORPHANED_TO_ISOLATE } from "../../shared/relay/quarantine.ts";
import { aggregateKeyOf } from "../items/message-key.ts";
import { PARTITIONS, queryRecords } from "../own-table/own-table.ts";
import { activePauses } from "../own-table/pauses.ts";
import type { SuspectDoc } from "../own-table/relay-docs.ts";
import type { Room } from "../room.ts";
import { type OutboxView, readView } from "./outbox-view.ts";

const MOST_SUSPECTS = 10_000;

interface Head {
  aggregateKey: string;
  kind: BlockKind;
  source: BlockSource;
  since: string;
  headId: string | null;
}

/** Aggregates whose later messages wait, longest blocked first, from one reading. */
export async function readBlocked(room: Room, request: BlockedPageRequest): Promise<BlockedPage> {
  const view = await readView(room);
  const { own, ref } = room;
  if (!ref.storeSide || !ref.mapping.columns.aggregateId)
    return { aggregates: [], nextCursor: null, looked: 0, asOf: view.asOf };
  const pauses = (await activePauses(own, ref.name))
    .filter(({ scope }) => scope === "aggregate")
    .sort((one, other) => compare(one.at, other.at));
  const failing = failingHeads(view);
  const all = [...failing, ...pauses.map(headOfPause)];
  const suspects = await suspectHeads(room, view);
  const known = new Set(all.map(({ aggregateKey }) => aggregateKey));
  const candidates = oncePerAggregate([...all, ...suspects.filter(({ aggregateKey }) => !known.has(aggregateKey))]);
  const headOf = new Map(failing.map(({ aggregateKey, headId }) => [aggregateKey, headId ?? ""]));
  const page = await readBlockedPage(
    {
      candidates: async (after, limit) =>
        candidates.filter((one) => after === null || compareBoth(one, after) > 0).slice(0, limit),
      pausesOf: async (keys) => pauses.filter(({ subject }) => keys.includes(subject)),
      headsOf: async (keys) => new Map([...headOf].filter(([key]) => keys.includes(key))),
      behind: async (keys, heads) => ({ waits: countUnsent(view, keys, heads), isAll: view.covers !== "some" }),
    },
    request,
  );
  return { ...page, asOf: view.asOf };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

type Placed = Pick<BlockCandidate, "since" | "id">;

function compareBoth(one: Placed, other: Placed): number {
  return compare(one.since, other.since) || compare(one.id, other.id);
}

/** The longest failed message of each aggregate. */
function failingHeads(view: OutboxView): Head[] {
  const deliveries = new Map(view.kept.deliveries.records.map(({ sk, doc }) => [sk, doc]));
  const heads = view.entries.flatMap(({ row, item }): Head[] => {
    const doc = deliveries.get(row.id);
    const since = doc?.firstFailedAt;
    const fails = item !== null && doc !== undefined && doc.nextAttemptAt !== null && doc.attempts > 0;
    if (!fails || !since || doc.aggregateKey === null || row.state === "published") return [];
    return [{ aggregateKey: doc.aggregateKey, kind: "failing", source: "failing", since, headId: row.id }];
  });
  const first = new Map<string, Head>();
  for (const head of heads.sort((one, other) => compare(one.since, other.since)))
    if (!first.has(head.aggregateKey)) first.set(head.aggregateKey, head);
  return [...first.values()];
}

function headOfPause({ subject, at, messageId }: PauseRow): Head {
  const kind = messageId === null ? "paused" : "held";
  return { aggregateKey: subject, kind, source: "paused", since: at, headId: messageId };
}

async function suspectHeads({ own, ref }: Room, view: OutboxView): Promise<Head[]> {
  const query = { pk: PARTITIONS.suspects(ref.name), limit: MOST_SUSPECTS };
  const { records } = await queryRecords<SuspectDoc>(own, query);
  const isolated = new Map(
    records.filter(({ doc }) => doc.orphaned >= ORPHANED_TO_ISOLATE).map(({ sk, doc }) => [sk, doc]),
  );
  return view.entries.flatMap(({ row }): Head[] => {
    const doc = isolated.get(row.id);
    const aggregateKey = aggregateKeyOf(row.aggregateType, row.aggregateId);
    if (!doc || aggregateKey === null || !isWaiting(row.state)) return [];
    return [{ aggregateKey, kind: "suspect", source: "suspect", since: doc.at, headId: row.id }];
  });
}

function isWaiting(state: string): boolean {
  return UNSENT_STATES.some((one) => one === state);
}

/** Of each aggregate the oldest, in order. */
function oncePerAggregate(heads: readonly Head[]): BlockCandidate[] {
  const placed = heads.map(({ source, ...head }) => ({
    ...head,
    id: placeIn(source, source === "paused" ? head.aggregateKey : (head.headId ?? "")),
  }));
  const first = new Map<string, BlockCandidate>();
  for (const one of placed.sort(compareBoth)) if (!first.has(one.aggregateKey)) first.set(one.aggregateKey, one);
  return [...first.values()];
}

function countUnsent(view: OutboxView, keys: readonly string[], heads: readonly string[]): Map<string, number> {
  const [wanted, others] = [new Set(keys), new Set(heads)];
  const counts = new Map<string, number>();
  for (const { row, item } of view.entries) {
    const key = aggregateKeyOf(row.aggregateType, row.aggregateId);
    if (item === null || key === null || !wanted.has(key) || others.has(row.id) || !isWaiting(row.state)) continue;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

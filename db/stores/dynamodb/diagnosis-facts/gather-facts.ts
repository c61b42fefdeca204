import { UNDATED_SECONDS } from "#domain/diagnosis/causes/expired-claim.ts";
import type {
  CountWithLatest,
  DeadGroup,
  ExpiredClaims,
  UnknownWord,
  WaitingFacts,
} from "#domain/diagnosis/facts/messages.ts";
import { MOST_DEAD_GROUPS } from "#domain/diagnosis/facts/messages.ts";
import { fingerprint } from "#domain/message/fingerprint.ts";
import { UNSENT_STATES } from "#domain/message/message-state.ts";
import type { MessageRow } from "../../port/message-row.ts";
import type { FactLimits, GatheredFacts, WatchedFacts } from "../../port/outbox-watch.ts";
import { ScanRefused } from "../../port/scan-refused.ts";
import { EARLIEST } from "../../shared/states/expiry.ts";
import { deadlineOf } from "../items/instant.ts";
import { textOf } from "../items/item.ts";
import { aggregateKeyOf } from "../items/message-key.ts";
import { type OutboxView, readView } from "../read/outbox-view.ts";
import { dueSince } from "../read/read-figures.ts";
import type { Room } from "../room.ts";
import { failingHeads, withRelayClaims } from "./relay-facts.ts";

const MINUTE_MS = 60_000;

interface Judged {
  room: Room;
  view: OutboxView;
  unsent: MessageRow[];
  limits: FactLimits;
  /** Only the first unsent messages were read. */
  capped: boolean;
}

/** Every fact from one reading. Facts about sessions are missing, because DynamoDB has none. */
export async function gatherFacts(room: Room, limits: FactLimits): Promise<GatheredFacts> {
  const startedMs = performance.now();
  const view = await readView(room);
  const unsent = view.entries.map(({ row }) => row).filter(({ state }) => UNSENT_STATES.some((one) => one === state));
  const judged: Judged = { room, view, unsent, limits, capped: view.covers === "some" };
  const readers: { [Name in keyof WatchedFacts]: () => WatchedFacts[Name] } = {
    lockHolders: () => [],
    oldTransactions: () => [],
    foreignSlots: () => [],
    connectorSlot: () => null,
    logReaders: () => null,
    freshMarks: () => null,
    hidingSettings: () => [],
    relayScans: () => null,
    partitions: () => null,
    // It numbers nothing.
    numberedColumns: () => [],
    // Its order is by best effort, and each item has a key.
    orderless: () => null,
    blocked: () => failingHeads(judged),
    expiredClaims: () => withRelayClaims(judged, expiredClaims(judged)),
    waiting: () => waiting(judged),
    dead: () => deadGroups(judged),
    waitingByType: () => waitingByType(judged),
    scheduledFar: () => ahead(judged, "availableAt", limits.scheduledFarSeconds),
    clockSkew: () => ahead(judged, "createdAt", limits.clockSkewSeconds),
    // A table cannot be renamed.
    leftBehind: () => null,
    unknownWords: () => unknownWords(judged),
  };
  const facts: Partial<WatchedFacts> = {};
  const unread: GatheredFacts["unread"] = [];
  const read = <Name extends keyof WatchedFacts>(fact: Name) => {
    try {
      facts[fact] = readers[fact]();
    } catch (error) {
      if (!(error instanceof ScanRefused)) throw error;
      unread.push({ fact, error });
    }
  };
  for (const fact of Object.keys(readers) as (keyof WatchedFacts)[]) read(fact);
  return { facts, unread, tookMs: performance.now() - startedMs };
}

function waiting({ view, unsent, limits, capped }: Judged): WaitingFacts {
  if (capped && unsent.length === 0) throw new ScanRefused("None of the first items waits, and there are more.");
  const due = unsent.filter((row) => isDueNow(row, view));
  const since = due.flatMap((row) => dueSince(row, view) ?? []);
  const limit = Date.parse(view.asOf) - limits.overdueSeconds * 1000;
  const overdue = due.filter((row) => Date.parse(dueSince(row, view) ?? view.asOf) < limit);
  const aggregates = overdue.flatMap((row) => aggregateKeyOf(row.aggregateType, row.aggregateId) ?? []);
  return {
    due: due.length,
    overdue: overdue.length,
    overdueAggregates: new Set(aggregates).size,
    capped,
    oldestDueAt: since.sort()[0] ?? null,
  };
}

function isDueNow({ availableAt, nextAttemptAt, blockedBy }: MessageRow, { asOf }: OutboxView): boolean {
  const isLater = (at: string | null) => at !== null && Date.parse(at) > Date.parse(asOf);
  return blockedBy === null && !isLater(availableAt) && !isLater(nextAttemptAt);
}

/** Claims by the table's own marks that have lasted too long. */
function expiredClaims({ room, view, capped, limits }: Judged): ExpiredClaims {
  const { lockedBy, lockedUntil } = room.ref.mapping.columns;
  const nowMs = Date.parse(view.asOf);
  const expired = view.entries.flatMap(({ row, item }) => {
    const until = lockedUntil ? deadlineOf(textOf(item?.[lockedUntil.name]), lockedUntil.time) : null;
    const isUnsent = row.claimExpired || UNSENT_STATES.some((state) => state === row.state);
    const isLate =
      until !== null
        ? until > EARLIEST && Date.parse(until) < nowMs - limits.claimGraceSeconds * 1000
        : row.claimUndated && (row.ageSeconds ?? 0) > UNDATED_SECONDS;
    return isUnsent && isLate
      ? [{ at: until ?? row.createdAt, owner: lockedBy ? textOf(item?.[lockedBy.name]) : null }]
      : [];
  });
  return {
    claims: expired.length,
    messages: expired.length,
    capped,
    oldestAt: expired.flatMap(({ at }) => at ?? []).sort()[0] ?? null,
    claimedAtKnown: expired.length === 0 || lockedUntil !== undefined,
    owners: [...new Set(expired.flatMap(({ owner }) => owner ?? []))],
  };
}

function deadGroups({ view, capped }: Judged): DeadGroup[] {
  const diedAt = new Map([
    ...view.kept.deliveries.records.map(({ sk, doc }) => [sk, doc.lastFailedAt] as const),
    ...view.kept.dead.records.map(({ sk, doc }) => [sk, doc.deadAt] as const),
  ]);
  const secondsSinceBegin = ages(view);
  const groups = new Map<string, DeadGroup>();
  const minuteAgo = Date.parse(view.asOf) - MINUTE_MS;
  for (const { row } of view.entries) {
    if (row.state !== "dead") continue;
    const code = row.lastErrorCode;
    const print =
      row.lastError === null
        ? null
        : fingerprint({ code: code ?? "unknown", error: row.lastError, eventType: row.eventType });
    const key = JSON.stringify([row.eventType, code, print]);
    const at = diedAt.get(row.id) ?? row.createdAt;
    const group = groups.get(key) ?? {
      ...{ eventType: row.eventType, code, error: row.lastError, fingerprint: null },
      ...{ messages: 0, capped, firstAt: at, lastAt: at, oldestSeconds: 0, lastMinute: 0 },
    };
    group.messages += 1;
    if (at !== null && (group.firstAt === null || at < group.firstAt)) group.firstAt = at;
    if (at !== null && (group.lastAt === null || at > group.lastAt)) group.lastAt = at;
    group.oldestSeconds = longer(group.oldestSeconds, secondsSinceBegin(row));
    if (at !== null && Date.parse(at) > minuteAgo) group.lastMinute += 1;
    groups.set(key, group);
  }
  return [...groups.values()].sort((one, other) => other.messages - one.messages).slice(0, MOST_DEAD_GROUPS);
}

/** The time since a dead message was created, or was first tried if that is longer ago; null if neither is known. */
function ages({ asOf, kept }: OutboxView): (row: MessageRow) => number | null {
  const firstFailedAt = new Map([
    ...kept.deliveries.records.map(({ sk, doc }) => [sk, doc.firstFailedAt] as const),
    ...kept.dead.records.map(({ sk, doc }) => [sk, doc.delivery?.firstFailedAt] as const),
  ]);
  return ({ id, createdAt }) => {
    const [first] = [createdAt, firstFailedAt.get(id)].flatMap((at) => at ?? []).sort();
    return first === undefined ? null : (Date.parse(asOf) - Date.parse(first)) / 1000;
  };
}

/** Null if one of them is not known. */
const longer = (one: number | null, other: number | null) =>
  one === null || other === null ? null : Math.max(one, other);

function waitingByType({ room, unsent }: Judged): WatchedFacts["waitingByType"] {
  if (!room.ref.mapping.columns.eventType) return null;
  const counts = new Map<string, number>();
  for (const { eventType } of unsent) if (eventType !== null) counts.set(eventType, (counts.get(eventType) ?? 0) + 1);
  return [...counts]
    .map(([eventType, messages]) => ({ eventType, messages }))
    .sort((one, other) => other.messages - one.messages);
}

function ahead(
  { room, view, unsent, capped }: Judged,
  by: "availableAt" | "createdAt",
  seconds: number,
): CountWithLatest | null {
  if (!room.ref.mapping.columns[by]) return null;
  const limit = Date.parse(view.asOf) + seconds * 1000;
  const rows = by === "availableAt" ? unsent : view.entries.filter(({ item }) => item !== null).map(({ row }) => row);
  const found = rows.flatMap((row) => row[by] ?? []).filter((at) => Date.parse(at) > limit);
  return { messages: found.length, capped, latestAt: found.sort().at(-1) ?? null };
}

/** The waiting index may lack items with an unknown word, so only a reading of the whole table shows them. */
function unknownWords({ room, view }: Judged): UnknownWord[] | null {
  if (room.ref.mapping.lifecycle.kind !== "status") return null;
  const found = view.entries.filter(({ row }) => row.state === "unknown");
  if (view.covers !== "all" && found.length === 0)
    throw new ScanRefused("An item of an unnamed status need not be in the index of what waits.");
  const words = new Map<string | null, number>();
  for (const { row } of found) words.set(row.rawStatus, (words.get(row.rawStatus) ?? 0) + 1);
  return [...words]
    .map(([word, messages]) => ({ word, messages, capped: view.covers !== "all" }))
    .sort((one, other) => other.messages - one.messages);
}

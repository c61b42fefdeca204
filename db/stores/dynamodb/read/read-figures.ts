import { MESSAGE_STATES, type MessageState, UNSENT_STATES } from "#domain/message/message-state.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import type { CountFigure, OutboxFigures, StateCounts, Waiting } from "../../port/outbox-figures.ts";
import { tellsDead } from "../items/native-state.ts";
import { listRelayRows } from "../own-table/instances.ts";
import { activePauses, countPauses } from "../own-table/pauses.ts";
import type { Room } from "../room.ts";
import { type Entry, type OutboxView, readView } from "./outbox-view.ts";

const DAY_MS = 86_400_000;

/** Counts, ages and pauses from one reading. */
export async function readFigures(room: Room): Promise<OutboxFigures> {
  const startedMs = performance.now();
  const { own, ref } = room;
  const [view, pauses, relays] = await Promise.all([
    readView(room),
    ref.storeSide ? activePauses(own, ref.name) : [],
    ref.storeSide ? listRelayRows(own, ref.name) : [],
  ]);
  return {
    counts: countsOf(room, view),
    waiting: waitingOf(view, ref.mapping),
    relays,
    pause: pauses.find(({ scope }) => scope === "outbox") ?? null,
    partialPauses: countPauses(pauses),
    asOf: view.asOf,
    clockAt: view.asOf,
    judgedAt: view.asOf,
    standsStill: false,
    consoleOffsetMs: room.link.clock.offsetMs,
    tableLocked: false,
    rowSecurity: { onRead: false, onWrite: false },
    tookMs: performance.now() - startedMs,
  };
}

/**
 * Exact if the whole table was read consistently; "about" from an index, which lags behind the table; "at least" from
 * only the first items of either; otherwise unknown.
 */
function countsOf({ family }: Room, view: OutboxView): StateCounts {
  const found = new Map<MessageState, number>();
  for (const { row } of view.entries) found.set(row.state, (found.get(row.state) ?? 0) + 1);
  const count = (state: MessageState): CountFigure => figureOf(view, state, found.get(state) ?? 0);
  const counts = Object.fromEntries(MESSAGE_STATES.map((state) => [state, count(state)])) as StateCounts;
  if (view.covers !== "waiting" || family.keyPrefix !== undefined) return counts;
  const unpublished = view.entries.filter(({ item }) => item !== null).length;
  return { ...counts, published: { value: Math.max(0, view.tableItems - unpublished), precision: "estimate" } };
}

function figureOf(
  { covers, deadComplete, deliveriesComplete, archiveComplete, kept }: OutboxView,
  state: MessageState,
  value: number,
): CountFigure {
  if (state === "archived") return { value, precision: archiveComplete ? "exact" : "capped" };
  // A failed or dead message whose record was not read passes for one that waits.
  const tellsWaiting = deliveriesComplete && (deadComplete || kept.dead.records.every(({ doc }) => doc.moved));
  if (!tellsWaiting && state === "pending") return { value: 0, precision: "unknown" };
  const whole = (state !== "dead" || deadComplete) && (state !== "failed" || deliveriesComplete);
  if (covers === "all" && whole) return { value, precision: "exact" };
  if (covers === "waiting" && whole && (state === "dead" || UNSENT_STATES.some((one) => one === state)))
    return { value, precision: "estimate" };
  return value > 0 ? { value, precision: "capped" } : { value: 0, precision: "unknown" };
}

function waitingOf(view: OutboxView, mapping: OutboxMapping): Waiting {
  const { asOf } = view;
  const nowMs = Date.parse(asOf);
  const unsent = view.entries.filter(({ row }) => UNSENT_STATES.some((state) => state === row.state));
  const { blocked, waits } = apart(unsent, nowMs);
  const later = unsent.filter(({ row }) => waits.has(row.id));
  const scheduled = later.filter(({ row }) => row.state === "pending").length;
  const due = unsent
    .filter((entry) => !blocked.includes(entry) && (!later.includes(entry) || wasTried(entry.row, view)))
    .flatMap(({ row }) => {
      const since = dueSince(row, view);
      return since === null ? [] : [{ id: row.id, since }];
    })
    .sort((one, other) => (one.since < other.since ? -1 : 1));
  const [oldest] = due;
  const retries = later
    .filter(({ row }) => row.state === "failed")
    .map(({ row }) => Date.parse(row.nextAttemptAt ?? row.availableAt ?? ""));
  const claims = view.kept.claims.filter(({ lives }) => lives).map(({ startedAt }) => Date.parse(startedAt));
  const counted = view.covers !== "some";
  return {
    oldest: oldest
      ? { id: oldest.id, dueAt: oldest.since, ageSeconds: Math.max(0, (nowMs - Date.parse(oldest.since)) / 1000) }
      : null,
    // A retried message whose record was not read passes for one that its producer scheduled.
    oldestKnown:
      counted && (view.kept.restored.complete || !unsent.some(({ row }) => isScheduled(row) && !wasTried(row, view))),
    scheduled: { value: scheduled, precision: counted ? (view.covers === "all" ? "exact" : "estimate") : "unknown" },
    nextRetryInSeconds: retries.length === 0 ? null : Math.max(0, (Math.min(...retries) - nowMs) / 1000),
    blocked: {
      messages: blocked.length,
      capped: !counted,
      aggregates: new Set(blocked.map(({ row }) => row.blockedBy)).size,
      oldestAgeSeconds: oldestAge(blocked),
    },
    deadLast24h:
      view.deadComplete && !tellsDead(mapping)
        ? view.kept.dead.records.filter(({ doc }) => Date.parse(doc.deadAt) > nowMs - DAY_MS).length
        : null,
    oldestClaimSeconds: claims.length === 0 ? null : Math.max(0, (nowMs - Math.min(...claims)) / 1000),
    asOf,
  };
}

/** Messages behind a failed head, and those that are not to be sent before a later time. */
function apart(unsent: readonly Entry[], nowMs: number): { blocked: Entry[]; waits: Set<string> } {
  const isLater = (at: string | null) => at !== null && Date.parse(at) > nowMs;
  return {
    blocked: unsent.filter(({ row }) => row.blockedBy !== null && !isLater(row.availableAt)),
    waits: new Set(
      unsent
        .filter(({ row }) => isLater(row.availableAt) || (row.state === "failed" && isLater(row.nextAttemptAt)))
        .map(({ row }) => row.id),
    ),
  };
}

function oldestAge(entries: readonly Entry[]): number | null {
  const ages = entries.flatMap(({ row }) => row.ageSeconds ?? []);
  return ages.length === 0 ? null : Math.max(...ages);
}

/**
 * When a message became due: its creation, or the time for which its producer scheduled it. If it was tried before,
 * that attribute has the time of the next attempt, which does not make it younger.
 */
export function dueSince(
  row: { id: string; createdAt: string | null; availableAt: string | null; attempts: number | null },
  { returned }: Pick<OutboxView, "returned">,
): string | null {
  if (row.createdAt === null) return null;
  return !wasTried(row, { returned }) && isScheduled(row) ? row.availableAt : row.createdAt;
}

/** To a time after its creation: by its producer, or by an attempt or a retry. */
function isScheduled({ createdAt, availableAt }: { createdAt: string | null; availableAt: string | null }): boolean {
  return createdAt !== null && availableAt !== null && availableAt > createdAt;
}

/** An attempt has failed, or an operator has retried it. */
function wasTried(row: { id: string; attempts: number | null }, { returned }: Pick<OutboxView, "returned">): boolean {
  return (row.attempts ?? 0) > 0 || returned.has(row.id);
}

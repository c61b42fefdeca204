import type { CountFigure, OutboxFigures } from "#db/stores/port/outbox-figures.ts";
import type { GatheredFacts } from "#db/stores/port/outbox-watch.ts";
import type { LockHolder } from "#domain/diagnosis/facts/sessions.ts";

type Facts = GatheredFacts["facts"];

const NOTHING_WAITS = { due: 0, overdue: 0, overdueAggregates: 0, capped: false, oldestDueAt: null };

interface Newer extends Pick<OutboxFigures, "counts" | "tableLocked"> {
  /** The database took no writes when the lock holders were read, and has taken some since. */
  writesAgain: boolean;
  /** All that is unsent became due after the expired claims were read: what they held has been sent, or is gone. */
  newerThanClaims: boolean;
}

/**
 * The facts, as far as the figures leave them true: facts are some seconds older. Those that the figures show to be
 * over are dropped, and none counts more messages than the figures do. Counts that are capped or unknown limit nothing.
 */
export function withoutStale(facts: Facts, { counts, tableLocked, writesAgain, newerThanClaims }: Newer): Facts {
  const unsent = tableLocked ? Number.POSITIVE_INFINITY : mostOf(counts.pending, counts.failed, counts.in_flight);
  return {
    ...facts,
    ...waitingAtMost(unsent, facts),
    ...(facts.expiredClaims ? { expiredClaims: claimsLeft(facts.expiredClaims, { unsent, newerThanClaims }) } : {}),
    ...(facts.lockHolders
      ? { lockHolders: stillHolding(facts.lockHolders, { tableLocked, writesAgain, unsent }) }
      : {}),
    ...(facts.dead ? { dead: deadAtMost(mostOf(counts.dead), facts.dead) } : {}),
    ...(facts.unknownWords ? { unknownWords: groupsAtMost(mostOf(counts.unknown), facts.unknownWords) } : {}),
  };
}

/** The sum of the counts; infinite if one of them is not exact. */
function mostOf(...figures: CountFigure[]): number {
  return figures.every(({ precision }) => precision === "exact")
    ? figures.reduce((sum, { value }) => sum + value, 0)
    : Number.POSITIVE_INFINITY;
}

function waitingAtMost(unsent: number, facts: Facts): Partial<Facts> {
  const { blocked, waiting, scheduledFar, orderless, waitingByType } = facts;
  const behindHead = unsent - 1;
  return {
    ...(blocked
      ? {
          blocked: (unsent === 0 ? [] : blocked).map((head) => ({
            ...head,
            waiting: head.waiting === null ? null : Math.min(head.waiting, behindHead),
          })),
        }
      : {}),
    ...(waiting ? { waiting: unsent === 0 ? NOTHING_WAITS : { ...waiting, ...limited(waiting, unsent) } } : {}),
    ...(scheduledFar ? { scheduledFar: { ...scheduledFar, messages: Math.min(scheduledFar.messages, unsent) } } : {}),
    ...(orderless ? { orderless: { ...orderless, messages: Math.min(orderless.messages, unsent) } } : {}),
    ...(waitingByType ? { waitingByType: groupsAtMost(unsent, waitingByType) } : {}),
  };
}

/** Rows that are only marked as claimed are in flight by their state, and not among those that are due. */
function claimsLeft(
  claims: NonNullable<Facts["expiredClaims"]>,
  { unsent, newerThanClaims }: { unsent: number; newerThanClaims: boolean },
): Facts["expiredClaims"] {
  if (unsent === 0 || (newerThanClaims && claims.claimedAtKnown)) return null;
  return { ...claims, messages: Math.min(claims.messages, unsent) };
}

function limited({ due, overdue }: { due: number; overdue: number }, most: number) {
  return { due: Math.min(due, most), overdue: Math.min(overdue, most) };
}

function groupsAtMost<Group extends { messages: number }>(most: number, groups: readonly Group[]): Group[] {
  return most === 0 ? [] : groups.map((group) => ({ ...group, messages: Math.min(group.messages, most) }));
}

/** No more died in the last minute than are dead. */
function deadAtMost(most: number, groups: NonNullable<Facts["dead"]>): NonNullable<Facts["dead"]> {
  return groupsAtMost(most, groups).map((group) => ({
    ...group,
    lastMinute: Math.min(group.lastMinute, group.messages),
  }));
}

function stillHolding(
  holders: readonly LockHolder[],
  { tableLocked, writesAgain, unsent }: { tableLocked: boolean; writesAgain: boolean; unsent: number },
): LockHolder[] {
  // In MySQL a lock may keep out new rows: then no row is unsent, and only the blocked producers show the lock's
  // effect.
  // For what a lock elsewhere keeps out only our relay waits.
  const holdsRows = ({ blockedPids, elsewhere }: LockHolder) =>
    unsent > 0 || (blockedPids.length > 0 && elsewhere === undefined);
  return holders
    .filter((one) => (one.wholeTable ? tableLocked || !(one.keepsOutReaders || writesAgain) : holdsRows(one)))
    .map((holder) => ({ ...holder, rows: holder.rows === null ? null : Math.min(holder.rows, unsent) }));
}

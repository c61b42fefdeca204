import { EARLIEST } from "#db/stores/shared/states/expiry.ts";
import type { MappedColumn, OutboxMapping, PendingWord } from "../../port/mapping.ts";
import { STATUS_LISTS } from "../../port/mapping-fingerprint.ts";
import { deadlineOf, isPlaceholder } from "./instant.ts";
import { type Item, textOf } from "./item.ts";

/** A message's state by its item alone, judged at one moment. */
export interface NativeState {
  unknown: boolean;
  dead: boolean;
  published: boolean;
  expired: boolean;
  inFlight: boolean;
  /** Marked as claimed with an expiry that has passed. */
  claimExpired: boolean;
  /** Marked as claimed, and no attribute has the end of the claim. */
  claimUndated: boolean;
  failed: boolean;
  /** Null if no attribute counts them. */
  attempts: number | null;
  rawStatus: string | null;
}

/** Reads the lifecycle's attributes. `now` is RFC 3339 with microseconds. Pure. */
export function nativeStateOf(item: Item, mapping: OutboxMapping, now: string): NativeState {
  const { columns, lifecycle, deadAttempts } = mapping;
  const text = (column: MappedColumn | undefined) => (column ? textOf(item[column.name]) : null);
  const deadline = (column: MappedColumn | undefined) => (column ? deadlineOf(text(column), column.time) : null);
  const rawStatus = lifecycle.kind === "status" ? text(lifecycle.column) : null;
  const isOneOf = (words: readonly PendingWord[]) => words.includes(rawStatus);
  const status = lifecycle.kind === "status" ? lifecycle : null;
  const published = isPublished(item, mapping, rawStatus);
  const attempts = columns.attempts ? wholeNumber(text(columns.attempts)) : null;
  const spent = deadAttempts !== null && attempts !== null && attempts >= deadAttempts;
  const until = deadline(columns.lockedUntil);
  const marked = status ? isOneOf(status.inFlight) : until !== null;
  const lives = marked && (until === null ? status !== null : until > now);
  const isUndated = hasZeroTime(item, mapping);
  return {
    unknown:
      lifecycle.kind === "unknown" ||
      isUndated ||
      (status !== null && !isOneOf(STATUS_LISTS.flatMap((list) => status[list]))),
    dead: (status !== null && isOneOf(status.dead)) || (spent && !published),
    published: published && !isUndated,
    expired: (status !== null && isOneOf(status.expired)) || hasPassed(deadline(columns.expiresAt), now),
    inFlight: lives || isHidden(item, mapping, { attempts, now }),
    claimExpired: status !== null && marked && !lives,
    claimUndated: status !== null && marked && until === null,
    failed: (status !== null && isOneOf(status.failed)) || hasCountedFailure(item, mapping, attempts),
    attempts,
    rawStatus,
  };
}

/** The first attempt may have begun and not ended where no error was written. */
function hasCountedFailure(item: Item, { errorOfFirst }: OutboxMapping, attempts: number | null): boolean {
  const isUntold = errorOfFirst !== undefined && !textOf(item[errorOfFirst.name]);
  return (attempts ?? 0) > (isUntold ? 1 : 0);
}

/** Received by another program, and not visible until a time. */
function isHidden(
  item: Item,
  { claim, columns }: OutboxMapping,
  { attempts, now }: { attempts: number | null; now: string },
): boolean {
  if (!claim?.ends?.lapses || (attempts ?? 0) < 1) return false;
  const { lastError } = columns;
  const until = deadlineOf(textOf(item[claim.ends.column.name]), claim.ends.column.time);
  return until !== null && until > now && !(lastError && textOf(item[lastError.name]));
}

function hasZeroTime(item: Item, { lifecycle }: OutboxMapping): boolean {
  return lifecycle.kind === "timestamp" && isPlaceholder(textOf(item[lifecycle.column.name]), lifecycle.column);
}

/** A placeholder for "never" does not pass. */
const hasPassed = (expiry: string | null, now: string) => expiry !== null && expiry > EARLIEST && expiry <= now;

/**
 * True if an item can be dead by its own attributes, whoever wrote them; no record of ours then has the time of its
 * death.
 */
export function tellsDead({ columns, lifecycle, deadAttempts }: OutboxMapping): boolean {
  const byWord = lifecycle.kind === "status" && lifecycle.dead.length > 0;
  return byWord || (columns.attempts !== undefined && deadAttempts !== null);
}

function isPublished(item: Item, { lifecycle }: OutboxMapping, rawStatus: string | null): boolean {
  switch (lifecycle.kind) {
    case "timestamp":
      return textOf(item[lifecycle.column.name]) !== null;
    case "status":
      return rawStatus !== null && lifecycle.published.includes(rawStatus);
    case "flag":
      return isTrue(textOf(item[lifecycle.column.name]));
    default:
      return false;
  }
}

/** An absent flag is false: the producer need not write it. */
function isTrue(text: string | null): boolean {
  return text !== null && !["false", "0", "", "no", "n"].includes(text.toLowerCase());
}

function wholeNumber(text: string | null): number {
  const number = Number(text ?? 0);
  return Number.isFinite(number) ? Math.trunc(number) : 0;
}

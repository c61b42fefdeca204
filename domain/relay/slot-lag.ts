import type { HealthStatus } from "../figures/limits.ts";

/** Bytes of log kept for one slot: `warn` when someone should look, `fail` when the server's disk is at risk. */
export const SLOT_LAG_LIMITS = { warn: 1_000_000_000, fail: 10_000_000_000 };

/**
 * What reads the log: a slot, for which the server keeps it, or a reader of the binary log or of a table's stream,
 * which the server removes after a time, read or not.
 */
export type LogReaderKind = "slot" | "binlog" | "stream";

interface LogReader {
  /** A slot if left out. */
  reader?: LogReaderKind;
  /** Its name. */
  slot: string;
  /** Log that it has not read; null if it is gone, or for a binlog also if that is unknown. */
  lagBytes: number | null;
  /** `lost`, `unreserved` (about to be), or another word of the server. */
  walStatus: string | null;
  /** Why the log is not read, as a sentence. */
  problem?: string | null;
}

/** Judges a reader of the log. If it is gone or lost, commits since then can no longer be read from it. */
export function judgeSlot(one: Omit<LogReader, "slot">): HealthStatus {
  const { lagBytes, walStatus, problem } = one;
  if (isGone(one)) return "fail";
  const bytes = lagBytes ?? 0;
  if (bytes >= SLOT_LAG_LIMITS.fail) return "fail";
  const isDoubtful = walStatus === "unreserved" || (problem ?? null) !== null;
  return isDoubtful || bytes >= SLOT_LAG_LIMITS.warn ? "warn" : "pass";
}

/** What was committed since cannot be read any more. */
export function isGone({ reader, lagBytes, walStatus }: Omit<LogReader, "slot">): boolean {
  return walStatus === "lost" || (lagBytes === null && !isTimed(reader));
}

/** True if the only fault is that nobody reads the log, and little of it is kept so far. */
export function isUnread<Reader extends Omit<LogReader, "slot">>(one: Reader): one is Reader & { problem: string } {
  return (one.problem ?? null) !== null && judgeSlot({ ...one, problem: null }) === "pass";
}

/** State of the reader as a sentence, also when nothing is wrong. */
export function describeSlot(slot: LogReader): string {
  if (isTimed(slot.reader)) return describeTimedReader(slot);
  if (slot.lagBytes === null) return `The replication slot ${slot.slot} is gone.`;
  if (slot.walStatus === "lost")
    return `The replication slot ${slot.slot} is lost: the server has removed log that it needed.`;
  if (isUnread(slot)) return slot.problem;
  const kept = `The server keeps ${Math.ceil(slot.lagBytes / 1e6)} MB of log for the slot ${slot.slot}`;
  return slot.walStatus === "unreserved" ? `${kept} and is about to remove some of it.` : `${kept}.`;
}

/** The server removes what it reads after a time, and does not keep it for the reader. */
export function isTimed(reader: LogReaderKind | undefined): reader is "binlog" | "stream" {
  return reader === "binlog" || reader === "stream";
}

function describeTimedReader(one: LogReader): string {
  const { reader, slot, lagBytes, walStatus } = one;
  if (walStatus === "lost")
    return reader === "stream"
      ? `The stream reader ${slot} is lost: the server has removed records that it had not read.`
      : `The binlog reader ${slot} is lost: the server has removed log that it had not read, its binary log is off, or the reader's record is missing.`;
  if (isUnread(one)) return one.problem;
  if (lagBytes === null) return `How much of the log the ${reader} reader ${slot} has still to read is unknown.`;
  const unread = `The ${reader} reader ${slot} has ${Math.ceil(lagBytes / 1e6)} MB of log still to read`;
  return walStatus === "unreserved" ? `${unread}, and the server is about to remove some of it.` : `${unread}.`;
}

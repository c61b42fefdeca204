/** What a lookup in an inbox said of a message; `absent`: the inbox has no row of it. */
export type SeenAs = "processed" | "received" | "unprocessed" | "failed" | "absent";

/** A published message as it was looked up. Instants are RFC 3339 on the clock of the outbox's database. */
export interface LookedUp {
  id: string;
  /** The id that consumers record. */
  eventId: string;
  eventType: string | null;
  createdAt: string | null;
  /** Null where no column says it. */
  publishedAt: string | null;
  seenAs: SeenAs;
  /** When a check first found it published and not processed; `asOf` for one that was not looked up before. */
  firstMissedAt: string;
  /** When the check before this one missed it; `asOf` for one that was not looked up before. */
  lastMissedAt: string;
  /** An earlier check found a row of it in the inbox. */
  seenBefore: boolean;
}

export interface JudgedMessage extends LookedUp {
  /** The least time for which it has been published. */
  publishedSeconds: number;
}

export interface Judgement {
  /** Processed, or received where the inbox says no more than that. */
  processed: number;
  /** Not processed, and published for less than the limit. */
  recent: number;
  /** Longest published first. */
  notProcessed: JudgedMessage[];
  /** Absent where the inbox may have removed the row: processed, or never processed. */
  unknown: number;
}

export interface JudgeInput {
  messages: readonly LookedUp[];
  withinSeconds: number;
  /** False for an inbox that may remove the row of a message as soon as it is processed. */
  keepsProcessed: boolean;
  /** From when on the inbox is known to have kept its rows, on the clock of the outbox's database; null: not known. */
  keptSince: string | null;
  asOf: string;
}

/** Clocks of producers, relays and databases are taken to agree within this time. */
const CLOCK_SECONDS = 60;

/**
 * Which published messages a consumer has not processed within its limit. A row that may have been removed is not
 * missing: an absent message counts only if the inbox keeps rows of its age, or if a check already missed it when it
 * was younger than the limit, and every check since then; not if the inbox removes rows sooner than the next check
 * comes.
 */
export function judgeMessages(input: JudgeInput): Judgement {
  const { messages, withinSeconds, asOf } = input;
  const judgement: Judgement = { processed: 0, recent: 0, notProcessed: [], unknown: 0 };
  for (const message of messages) {
    const publishedSeconds = secondsBetween(message.publishedAt ?? message.firstMissedAt, asOf);
    if (message.seenAs === "processed" || message.seenAs === "received") judgement.processed += 1;
    else if (publishedSeconds <= withinSeconds) judgement.recent += 1;
    else if (message.seenAs === "absent" && mayBeRemoved(message, input)) judgement.unknown += 1;
    else judgement.notProcessed.push({ ...message, publishedSeconds });
  }
  judgement.notProcessed.sort((one, other) => other.publishedSeconds - one.publishedSeconds);
  return judgement;
}

function mayBeRemoved(
  { publishedAt, createdAt, firstMissedAt, lastMissedAt, seenBefore }: LookedUp,
  { withinSeconds, keptSince, keepsProcessed }: JudgeInput,
): boolean {
  const bornAt = publishedAt ?? createdAt;
  if (bornAt === null || seenBefore || !keepsProcessed) return true;
  const isKept = (at: string) => keptSince !== null && secondsBetween(keptSince, at) > CLOCK_SECONDS;
  if (secondsBetween(bornAt, firstMissedAt) <= withinSeconds) return keptSince !== null && !isKept(lastMissedAt);
  return !isKept(bornAt);
}

/** A row of an inbox and whether any of its outboxes holds its message. */
export interface InboxEntry {
  id: string;
  messageId: string | null;
  /** On the clock of the outbox's database; null where no column says it. */
  at: string | null;
  known: boolean;
}

/**
 * Rows that name messages which no outbox holds. A row from before `heldSince`, the oldest message that each outbox
 * still holds, is left out: its message may have been removed.
 */
export function judgeRows<Row extends InboxEntry>(
  rows: readonly Row[],
  heldSince: string | null,
): { known: number; unmatched: Row[]; unknown: number } {
  const missing = rows.filter(({ known }) => !known);
  const unmatched = missing.filter(
    ({ at }) => at !== null && heldSince !== null && secondsBetween(heldSince, at) > CLOCK_SECONDS,
  );
  return { known: rows.length - missing.length, unmatched, unknown: missing.length - unmatched.length };
}

/** Negative if `to` is the earlier. */
function secondsBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 1000;
}

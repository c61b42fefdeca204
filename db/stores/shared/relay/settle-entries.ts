import type { MessageOutcome, SettleEntry } from "../../port/relay/settle.ts";
import { storableText } from "./storable-text.ts";

type Trouble = Extract<MessageOutcome, { kind: "failed" | "dead" }>;
export type TroubleEntry = SettleEntry & { outcome: Trouble };

export function isTrouble(entry: SettleEntry): entry is TroubleEntry {
  return entry.outcome.kind === "failed" || entry.outcome.kind === "dead";
}

/** Failed attempts of a message once its outcome is written. */
export function attemptsAfter({ message, outcome }: TroubleEntry): number {
  return outcome.kind === "failed" && outcome.spares ? message.attempts : message.attempts + 1;
}

/** Suspects that now have an outcome. */
export function clearedSuspects(suspects: ReadonlySet<string>, entries: readonly SettleEntry[]): string[] {
  if (suspects.size === 0) return [];
  const told = entries.filter(({ outcome, message }) => outcome.kind !== "given_back" && suspects.has(message.id));
  return told.map(({ message }) => message.id);
}

/**
 * Time from creation to the sink's confirmation, ms, of messages with a known creation time. Leaves out messages that
 * an operator retried, because they were dead for a while. `nowMs`: the database clock, since 1970.
 */
export function latencies(entries: readonly SettleEntry[], nowMs: number): number[] {
  const found: number[] = [];
  for (const { message, outcome } of entries) {
    if (message.retried === true && message.attempts === 0) continue;
    const created = message.createdAt === null ? Number.NaN : Date.parse(message.createdAt);
    const confirmedMs = outcome.kind === "published" ? outcome.startedAt.getTime() + outcome.durationMs : nowMs;
    if (!Number.isNaN(created)) found.push(Math.max(0, Math.min(nowMs, confirmedMs) - created));
  }
  return found;
}

/** The error of a failure, as text that every store takes. */
export function errorText(entry: TroubleEntry): string {
  return storableText(entry.outcome.failure.message);
}

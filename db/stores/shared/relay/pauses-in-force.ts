import type { PauseEntry } from "../../port/relay/pause-entry.ts";
import type { TroubleEntry } from "./settle-entries.ts";
import { storableText } from "./storable-text.ts";

/** Active pauses as last read. */
export interface PausesInForce {
  /** Changes whenever an active pause changes, so that thousands of pauses are read only then. */
  digest: string;
  entries: readonly PauseEntry[];
  eventTypes: readonly string[];
  aggregates: readonly string[];
}

export function pausesInForce(digest: string, entries: readonly PauseEntry[]): PausesInForce {
  const subjects = (scope: PauseEntry["scope"]) =>
    entries.filter((entry) => entry.scope === scope).map(({ subject }) => subject);
  return { digest, entries, eventTypes: subjects("event_type"), aggregates: subjects("aggregate") };
}

/** Paused event types, and those of failing routes. */
export function withheldTypes({
  leftOut,
  paused,
}: {
  leftOut: readonly string[];
  paused: Pick<PausesInForce, "eventTypes">;
}): readonly string[] {
  return leftOut.length === 0 ? paused.eventTypes : [...paused.eventTypes, ...leftOut];
}

export function pauseScope(word: string | null | undefined): PauseEntry["scope"] {
  return word === "event_type" || word === "aggregate" ? word : "outbox";
}

/** Scope of the relay's own holds, kept separate from an operator's pause of the same aggregate. */
export const HOLD_SCOPE = "hold";

/** The reason of the relay's hold behind a dead message. */
export function holdReason(message: TroubleEntry["message"], error: string): string {
  const [line = ""] = error.split("\n");
  return `message ${message.eventId} is dead (${storableText(line, 200)})`;
}

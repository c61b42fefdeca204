import type { PauseEntry } from "../../port/relay/pause-entry.ts";
import { activePauses } from "../own-table/pauses.ts";
import type { RelayContext } from "./relay-context.ts";

/** Active pauses, for the reads and claims that follow. */
export async function readPauses(context: RelayContext): Promise<readonly PauseEntry[]> {
  const pauses = await activePauses(context.room.own, context.outbox);
  const entries = pauses.map(({ scope, subject, reason, by, until, messageId }) => ({
    ...{ scope, subject, reason, by, until, messageId },
  }));
  const subjects = (scope: PauseEntry["scope"]) =>
    new Set(entries.filter((entry) => entry.scope === scope).map(({ subject }) => subject));
  context.paused = { entries, eventTypes: subjects("event_type"), aggregates: subjects("aggregate") };
  return entries;
}

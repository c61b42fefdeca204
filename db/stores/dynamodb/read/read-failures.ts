import type { FailuresRead } from "../../port/failure-groups.ts";
import type { Room } from "../room.ts";
import { adviceFor } from "./index-advice.ts";
import { readView } from "./outbox-view.ts";

/** Failed and dead messages with their error texts, for the caller to group; of those that were read. */
export async function readFailures(room: Room): Promise<FailuresRead> {
  const view = await readView(room);
  const failing = view.entries.filter(({ row }) => row.state === "failed" || row.state === "dead");
  const complete = view.covers !== "some" && view.deadComplete;
  return {
    grouped: [],
    native: failing.map(({ row }) => ({
      id: row.id,
      eventType: row.eventType,
      aggregateId: row.aggregateId,
      lastError: row.lastError,
      dead: row.state === "dead",
    })),
    read: failing.length,
    complete,
    index: complete ? null : adviceFor(room).text,
    asOf: view.asOf,
  };
}

import type { FailureGrouping } from "#domain/message/failure-grouping.ts";
import type { FailureGroupRow, FailuresRead } from "../../port/failure-groups.ts";
import type { MessageRow } from "../../port/message-row.ts";
import { countByHour } from "../../shared/read/new-by-hour.ts";
import { aggregateKeyOf } from "../items/message-key.ts";
import type { Room } from "../room.ts";
import { adviceFor } from "./index-advice.ts";
import { groupOf } from "./list-messages.ts";
import { type OutboxView, readView } from "./outbox-view.ts";

/**
 * Failed and dead messages, of those that were read: by cause where our relay has recorded their failures, otherwise
 * with their error texts, for the caller to group.
 */
export async function readFailures(room: Room, by: FailureGrouping): Promise<FailuresRead> {
  const view = await readView(room);
  const failing = view.entries.map(({ row }) => row).filter(({ state }) => state === "failed" || state === "dead");
  const complete = view.covers !== "some" && view.deadComplete && view.kept.deliveries.complete;
  const recorded = failing.some(({ lastErrorCode }) => lastErrorCode !== null);
  return {
    grouped: recorded ? groupsOf(view, failing, by) : [],
    native: recorded
      ? []
      : failing.map(({ id, eventType, aggregateId, lastError, state }) => ({
          ...{ id, eventType, lastError, dead: state === "dead", messages: 1, aggregateIds: [aggregateId] },
        })),
    read: failing.length,
    complete,
    index: complete ? null : adviceFor(room).text,
    asOf: view.asOf,
  };
}

const KEYS: Record<FailureGrouping, (row: MessageRow) => string> = {
  text: (row) => groupOf(row) ?? "",
  code: ({ lastErrorCode }) => lastErrorCode ?? "",
  type: ({ eventType }) => eventType ?? "",
};

function groupsOf(view: OutboxView, failing: readonly MessageRow[], by: FailureGrouping): FailureGroupRow[] {
  const records = new Map(view.kept.deliveries.records.map(({ sk, doc }) => [sk, doc]));
  for (const { sk, doc } of view.kept.dead.records) if (doc.delivery) records.set(sk, doc.delivery);
  const groups = Map.groupBy(failing, KEYS[by]);
  return [...groups]
    .map(([key, rows]): FailureGroupRow => {
      const times = (of: "firstFailedAt" | "lastFailedAt") =>
        rows.flatMap(({ id }) => records.get(id)?.[of] ?? []).sort();
      const codes = new Set(rows.map(({ lastErrorCode }) => lastErrorCode));
      const dead = rows.filter(({ state }) => state === "dead").length;
      return {
        key,
        code: codes.size === 1 ? ([...codes][0] ?? null) : null,
        text: rows[0]?.lastError ?? null,
        eventTypes: [...new Set(rows.flatMap(({ eventType }) => eventType ?? []))].sort(),
        messages: rows.length,
        ...{ failed: rows.length - dead, dead },
        aggregates: new Set(rows.flatMap((row) => aggregateKeyOf(row.aggregateType, row.aggregateId) ?? [])).size,
        firstSeenAt: times("firstFailedAt")[0] ?? null,
        lastSeenAt: times("lastFailedAt").at(-1) ?? null,
        newByHour: countByHour(
          rows.map(({ id }) => records.get(id)?.firstFailedAt),
          view.asOf,
        ),
        sampleId: rows[0]?.id ?? "",
      };
    })
    .sort((one, other) => other.messages - one.messages);
}

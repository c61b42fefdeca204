import type { BlockedAggregate, BlockedList, BlockedQuery } from "#contracts/outbox/blocked.ts";
import type * as port from "#db/stores/port/blocked-aggregates.ts";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import { whyNoOwnTables } from "../outboxes/own-tables.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { requireKey } from "./list-messages.ts";

/** A head is tried again while an operator reads the page; a decision on it stands if that ends in the same way. */
const DECIDED = { decided: true } as const;

/**
 * One page of aggregates whose later messages wait, longest blocked first. Throws: not_found, invalid_input,
 * unavailable, query_timeout.
 */
export async function listBlocked(input: {
  runtime: Runtime;
  outbox: string;
  query: BlockedQuery;
}): Promise<BlockedList> {
  const handle = await input.runtime.outbox(input.outbox);
  requireKey(handle.mapping.primaryKey.length, handle.name);
  const { read } = outboxOf(handle);
  const { aggregates, ...page } = await read.blocked(input.query);
  const ids = aggregates.flatMap(({ headId }) => headId ?? []);
  const heads = new Map((ids.length === 0 ? [] : await read.find(ids, DECIDED)).map((row) => [row.id, row]));
  const shown = aggregates.flatMap((one) => {
    const head = one.headId === null ? null : (heads.get(one.headId) ?? null);
    return stillBlocks(handle, one, head) ? [toContract(handle, one, head)] : [];
  });
  return { aggregates: shown, ...page, unknown: whatIsUnknown(handle) };
}

/** A failed head may have been published since by another program; with some settings nothing waits for it. */
function stillBlocks({ config }: OutboxHandle, one: port.BlockedAggregate, head: MessageRow | null): boolean {
  if (one.pauses.length > 0) return true;
  if (config.relay?.ordering === "none") return false;
  if (one.kind === "failing" && config.relay?.onFailure === "pass") return false;
  return head !== null && head.state !== "published" && head.state !== "archived";
}

function toContract(handle: OutboxHandle, one: port.BlockedAggregate, head: MessageRow | null): BlockedAggregate {
  const { aggregateKey, kind, since, waiting, waitingCapped } = one;
  const sure = waiting !== null && !handle.catalog.rowSecurity;
  return {
    ...{ aggregateKey, kind, since, head, ...partsOf(handle, aggregateKey, head) },
    pauses: one.pauses.map(({ reason, by, at, until, messageId }) => ({
      ...{ reason, by, at, until, held: messageId !== null },
    })),
    waiting: sure
      ? { value: waiting, precision: waitingCapped ? "capped" : "exact" }
      : { value: 0, precision: "unknown" },
  };
}

/** Type and id come from the head, because a type may itself contain a slash. */
function partsOf({ mapping }: OutboxHandle, key: string, head: MessageRow | null) {
  if (head !== null && head.aggregateId !== null)
    return { aggregateType: head.aggregateType, aggregateId: head.aggregateId };
  const slash = mapping.columns.aggregateType ? key.indexOf("/") : -1;
  return slash < 0
    ? { aggregateType: null, aggregateId: key }
    : { aggregateType: key.slice(0, slash), aggregateId: key.slice(slash + 1) };
}

function whatIsUnknown(handle: OutboxHandle): string | null {
  const { config, mapping, storeSide } = handle;
  if (!mapping.columns.aggregateId)
    return "The table has no column for the aggregate: no message of it waits for another.";
  if (!storeSide && config.mode !== "observe") return whyNoOwnTables(handle);
  if (!storeSide)
    return "This outbox is observed only. Which messages block others is known only where our relay publishes.";
  if (config.mode !== "relay")
    return "Another program publishes this outbox, and does not say here which messages it holds back behind others.";
  if (config.relay?.ordering === "none")
    return "Messages are published without order (`ordering: none`): a failed one holds up no other. Pauses are listed.";
  return config.relay?.onFailure === "pass"
    ? "Later messages pass a failed one (`onFailure: pass`). Pauses, and aggregates held behind a dead message, are listed."
    : null;
}

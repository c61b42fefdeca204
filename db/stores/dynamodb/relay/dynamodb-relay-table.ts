import { AppError } from "#domain/errors.ts";
import { sentence } from "#domain/format.ts";
import { tableChanges } from "../../port/mapping-changes.ts";
import type { RelayOrdering, RelayTable } from "../../port/relay/relay-table.ts";
import type { RelayTableSettings } from "../../port/store.ts";
import { TableChangedError } from "../../port/table-changed-error.ts";
import { catalogTable } from "../catalog/read-catalog.ts";
import type { Room } from "../room.ts";
import { createRelayStream } from "../streams/dynamodb-relay-stream.ts";
import type { StreamCalls } from "../streams/stream-calls.ts";
import { claimHead } from "./claim/claim-head.ts";
import { claimNew } from "./claim/claim-new.ts";
import { claimDueRetries, listRetries } from "./claim/claim-retries.ts";
import { findBefore, findHead, findUnread, hasNew, lookAhead, skipDeadRows } from "./claim/searches.ts";
import { orderComparison } from "./compare-order.ts";
import { foreignPublishes, recentlyPublished } from "./lease/foreign-relay.ts";
import { endStrayClaims, Heartbeats, withHistory } from "./lease/heartbeat.ts";
import { acquireLease, releaseLease, renewLease } from "./lease/lease.ts";
import { readShares } from "./lease/shares.ts";
import { listSuspects } from "./lease/suspects.ts";
import { readPauses } from "./pauses.ts";
import { withPortErrors } from "./port-errors.ts";
import { READS_LATE } from "./reads-late.ts";
import { type RelayContext, relayContext } from "./relay-context.ts";
import { settle } from "./settle/settle.ts";
import { undoAttempts } from "./settle/undo-attempts.ts";
import { bareItemsMissing, waitingIndexOf } from "./waiting-index.ts";

/**
 * The relay's operations on one outbox of DynamoDB. `room` and `calls` have clients of the relay's own, which `close`
 * closes. Throws invalid_input if the items cannot be published.
 */
export function createRelayTable(room: Room, settings: RelayTableSettings, calls: StreamCalls | null): RelayTable {
  requirePublishable(room, settings);
  const context = relayContext(room, settings);
  const { mapping, outbox, deliveries } = context;
  const heartbeats = new Heartbeats();

  /** Runs once for each term. During a term, only a renewal notices that the table is not the accepted one any more. */
  const readTable = async () => {
    const table = await room.link.describe(room.family.table);
    const now = table && catalogTable(mapping.table.name, room.family, table);
    if (!table || !now || (room.ref.accepted && tableChanges(room.ref.accepted, now).length > 0))
      throw new TableChangedError(outbox);
    context.index = waitingIndexOf(context, table);
    context.parts.clear();
    const missing = bareItemsMissing(room, context.index?.hash ?? null);
    if (missing !== null) throw new AppError("unavailable", missing);
    if (!context.index && room.family.waiting)
      throw new AppError(
        "unavailable",
        `The table ${room.family.table} has no index ${room.family.waiting.index}, by which the relay of outbox ${outbox} finds waiting items: create it, or correct families.${mapping.table.name}.waiting.index.`,
      );
  };

  const table: RelayTable = {
    outbox,
    ordering: orderingOf(context),
    maxAttempts: context.maxAttempts,
    isMetered: true,
    compareOrder: orderComparison(mapping),
    acquireLease: async (request) => {
      await readTable();
      const lease = await acquireLease(context, request);
      // Other owners may have written records of partitions that now belong to this term.
      deliveries.forget();
      if (lease) await deliveries.refresh();
      return lease;
    },
    readShares: ({ silentMs }) => readShares(context, silentMs),
    renewLease: (lease) => renewLease(context, lease),
    releaseLease: (lease) => releaseLease(context, lease),
    claimNew: (request) => claimNew(context, request),
    hasNew: (request) => hasNew(context, request),
    findUnread: (request) => findUnread(context, request),
    findBefore: ({ request, before }) => findBefore(context, request, before),
    skipDeadRows: (after) => skipDeadRows(context, after),
    lookAhead: (request) => lookAhead(context, request),
    claimDueRetries: (input) => claimDueRetries(context, input),
    listRetries: ({ lease }) => listRetries(context, lease),
    listSuspects: ({ lease }) => listSuspects(context, lease),
    get suspectCount() {
      return context.suspects.size;
    },
    claimSuspect: ({ lease, suspect, token }) =>
      claimHead(context, { lease, message: suspect, from: null, aloneAs: token }),
    claimHead: (input) => claimHead(context, { ...input, aloneAs: null }),
    findHead: ({ request, excludeTypes }) => findHead(context, request, excludeTypes),
    leaveOut: (eventTypes) => {
      context.leftOut = new Set(eventTypes);
    },
    settle: (request) => settle(context, request),
    undoesSingly: true,
    undoAttempts: (input) => undoAttempts(context, input),
    endStrayClaims: (input) => endStrayClaims(context, input),
    withHistory: (ids) => withHistory(context, ids),
    readPauses: () => readPauses(context),
    writeHeartbeat: (beat, { silentMs }) => heartbeats.write(context, beat, silentMs),
    // Nothing in DynamoDB can wake a waiting relay.
    listen: () => ({ stop: async () => undefined }),
    foreignPublishes: () => foreignPublishes(context),
    recentlyPublished: (input) => recentlyPublished(context, input),
    close: async () => {
      calls?.close();
      room.link.close();
    },
    ...(settings.stream && calls ? { stream: createRelayStream(context, settings.stream, calls) } : {}),
  };
  return withPortErrors(table);
}

function requirePublishable({ ref: { mapping, name }, family }: Room, { stream }: RelayTableSettings): void {
  const refuse = (reason: string): never => {
    throw new AppError("invalid_input", `The outbox ${name} cannot be published by this relay: ${reason}.`);
  };
  const { lifecycle } = mapping;
  if (lifecycle.kind === "rules" || lifecycle.kind === "untold") refuse(`${lifecycle.owner} publishes it`);
  if (lifecycle.kind === "unknown") refuse("no attribute shows which items are published");
  if (lifecycle.kind === "log") refuse("its items do not show whether they were published");
  if (lifecycle.kind === "status" && lifecycle.published.length === 0)
    refuse("no word for published is known; set lifecycle.published");
  if (!family.waiting && !stream)
    refuse(`no index finds waiting items; create one, and set families.${mapping.table.name}.waiting.index`);
}

function orderingOf({ settings, mapping, room }: RelayContext): RelayOrdering {
  if (settings.ordering === "none") return { kind: "none", reason: "The relay is configured with ordering: none." };
  if (!mapping.columns.aggregateId) return { kind: "none", reason: "No attribute names the aggregate." };
  if (!mapping.columns.order) {
    const reason = mapping.columns.createdAt
      ? "No attribute gives the order: messages are ordered by creation time, which is not the order of commits."
      : "No attribute gives the order or the creation time: messages are ordered by id.";
    return { kind: "best_effort", reason };
  }
  if (!room.family.waiting)
    return {
      kind: "best_effort",
      reason:
        "No index finds waiting items: what the stream has removed after 24 hours, or what was written while it was off, is never published.",
    };
  return { kind: "best_effort", reason: sentence(READS_LATE) };
}

import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import type { RelayOrdering, RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { TableChangedError } from "#db/stores/port/table-changed-error.ts";
import { compareOrder, orderComparison } from "#db/stores/shared/relay/compare-order.ts";
import { type DeadRepresentation, deadRepresentation } from "#db/stores/shared/relay/dead-representation.ts";
import { pausesInForce } from "#db/stores/shared/relay/pauses-in-force.ts";
import { AppError } from "#domain/errors.ts";
import { whyRowsCannotMove } from "../catalog/can-move-rows.ts";
import type { PostgresRelayPool } from "../connection/relay-connections.ts";
import { RelaySessions } from "../connection/sessions.ts";
import { claimImages } from "../replication/claim-images.ts";
import { emptyClaim } from "../replication/claim-streamed.ts";
import { createRelayStream } from "../replication/relay-stream.ts";
import { mappingHoldsSql } from "../tables/mapping-holds.ts";
import { claimFollowers } from "./claim/claim-followers.ts";
import { createClaimNew } from "./claim/claim-new.ts";
import { claimDueRetries, listRetries } from "./claim/claim-retries.ts";
import { claimHead, listSuspects } from "./claim/claim-suspect.ts";
import { findHead } from "./claim/find-head.ts";
import { createFindBefore, createFindUnread } from "./claim/find-unread.ts";
import { lookAhead } from "./claim/look-ahead.ts";
import { readPauses } from "./claim/pause-filter.ts";
import { skipDeadRows } from "./claim/skip-dead-rows.ts";
import { createRecentlyPublished, foreignPublishes } from "./lease/foreign-relay.ts";
import { endStrayClaims, withHistory, writeHeartbeat } from "./lease/heartbeat.ts";
import { acquireLease, endTerm, releaseLease, renewLease } from "./lease/lease.ts";
import { readShares } from "./lease/shares.ts";
import { listen } from "./listen.ts";
import { mappingFits } from "./mapping-fits.ts";
import { withPortErrors } from "./port-errors.ts";
import { rowReader } from "./read-row.ts";
import type { RelayContext } from "./relay-context.ts";
import { ReadPlace } from "./row-version.ts";
import { undoAttempts } from "./settle/attempts.ts";
import { dropReusedIds } from "./settle/drop-reused-ids.ts";
import { settle } from "./settle/settle.ts";

export interface RelayTableOptions {
  outbox: string;
  mapping: OutboxMapping;
  /** Preferably unpooled; over a pooler in transaction mode it works, a little slower. */
  url: string;
  /** The connections that it shares with other relays of the URL; by default its own. */
  pool?: PostgresRelayPool;
  ordering: "aggregate" | "none";
  maxAttempts: number;
  /**
   * Whether an aggregate continues after one of its messages is dead (`pass`, the default) or waits for an operator
   * (`hold`).
   */
  onDead?: "pass" | "hold";
  relayId: string;
  sinkName: string;
  /** Set to read messages from the log; see RelayStream. */
  cdc?: { slot: string; publication: string; mark: "column" | "delete" | "none" };
  /** The accepted mapping: the relay stops if the table no longer matches it. Omitted: nothing is compared. */
  accepted?: MappingFingerprint;
  /** Further columns to read, keyed by their names in messages (`relay.route.fields`). */
  fields?: Readonly<Record<string, string>>;
}

/**
 * The relay's operations on one Postgres outbox table. Connects on first use. Throws invalid_input if the table cannot
 * be published.
 */
export function createRelayTable(options: RelayTableOptions): RelayTable {
  const { mapping, outbox } = options;
  const mark = options.cdc?.mark ?? "column";
  requirePublishable(mapping, outbox, mark);
  const context = contextOf(options, mark);
  const { sessions } = context;
  const reader = rowReader(context, true);
  let representation: DeadRepresentation | undefined;

  /** Read once from the catalog: whether rows may move does not change while a relay runs, or its settle reports it. */
  const readRepresentation = async () => {
    representation ??= mark === "none" ? "beside" : deadRepresentation(mapping, await canMove(sessions, mapping));
    return representation;
  };

  let warm = false;
  /** A standby opens only the connections it needs. The first term opens all in the background. */
  const beginTerm: RelayTable["acquireLease"] = async (request) => {
    if (options.accepted && !(await mappingFits(context, options.accepted))) throw new TableChangedError(outbox);
    const lease = await acquireLease(context, request);
    if (!lease || warm) return lease;
    warm = true;
    void sessions.warmUp(options.cdc ? emptyClaim(context, reader, mark !== "none") : []);
    return lease;
  };

  const table: RelayTable = {
    outbox,
    ordering: orderingOf(options),
    maxAttempts: context.maxAttempts,
    // A place in the log has two parts.
    compareOrder: mark === "none" ? compareOrder : orderComparison(options.mapping),
    acquireLease: beginTerm,
    readShares: ({ silentMs }) => readShares(context, silentMs),
    renewLease: (lease) => renewLease(context, lease),
    endTerm: (term) => endTerm(context, term),
    releaseLease: (lease) => releaseLease(context, lease),
    ...createClaimNew(context, reader),
    findUnread: createFindUnread(context),
    findBefore: createFindBefore(context),
    skipDeadRows: (after) => skipDeadRows(context, after),
    lookAhead: (request) => lookAhead(context, request),
    claimsByKey: true,
    claimFollowers: (request) => claimFollowers(context, reader, request),
    claimDueRetries: async (input) =>
      (mark === "none" ? await claimImages(context, input) : null) ?? claimDueRetries(context, reader, input),
    listRetries: ({ lease }) => listRetries(context, lease),
    listSuspects: ({ lease }) => listSuspects(context, lease),
    get suspectCount() {
      return context.suspects.size;
    },
    claimSuspect: ({ lease, suspect, token }) =>
      claimHead(context, reader, { lease, message: suspect, from: null, aloneAs: token }),
    claimHead: ({ lease, message, from }) =>
      mark === "none"
        ? claimImages(context, { lease, only: message.id })
        : claimHead(context, reader, { lease, message, from, aloneAs: null }),
    findHead: ({ request, ...which }) => findHead(context, request, which),
    leaveOut: (eventTypes) => {
      context.leftOut = eventTypes;
    },
    settle: async (request) => settle(context, request, await readRepresentation()),
    undoAttempts: (input) => undoAttempts(context, input),
    dropReusedIds: (after) => dropReusedIds(context, after),
    endStrayClaims: (input) => endStrayClaims(context, input),
    withHistory: (ids) => withHistory(context, ids),
    readPauses: () => readPauses(context),
    writeHeartbeat: (beat, { silentMs }) => writeHeartbeat(context, beat, silentMs),
    listen: (input) => listen({ url: options.url, ...input }),
    foreignPublishes: async () => (mark === "none" ? 0 : foreignPublishes(context)),
    recentlyPublished: mark === "none" ? async () => [] : createRecentlyPublished(context),
    ...(options.cdc ? { stream: createRelayStream({ context, reader, url: options.url, ...options.cdc }) } : {}),
    close: () => sessions.close(),
  };
  return withPortErrors(table, { accepted: options.accepted !== undefined });
}

/** The relay's context before its first read. */
function contextOf(options: RelayTableOptions, mark: RelayContext["mark"]): RelayContext {
  const { mapping, outbox } = options;
  return {
    outbox,
    mapping,
    sessions: options.pool ? RelaySessions.of(options.pool) : RelaySessions.over({ url: options.url }),
    lanes: orderingOf(options).kind !== "none",
    relayId: options.relayId,
    sinkName: options.sinkName,
    maxAttempts: Math.min(options.maxAttempts, mapping.deadAttempts ?? options.maxAttempts),
    accepted: options.accepted,
    mappingHolds: options.accepted ? mappingHoldsSql(options.accepted) : "true",
    fields: options.fields ?? {},
    mark,
    onDead: options.onDead ?? "pass",
    paused: pausesInForce("", []),
    leftOut: [],
    measures: "stored",
    place: new ReadPlace(),
    marks: { lookedAtMs: Number.NEGATIVE_INFINITY, ignored: false },
    suspects: new Set(),
  };
}

function requirePublishable(mapping: OutboxMapping, outbox: string, mark: RelayContext["mark"]): void {
  const refuse = (reason: string): never => {
    throw new AppError("invalid_input", `The outbox ${outbox} cannot be published by this relay: ${reason}.`);
  };
  if (mapping.primaryKey.length === 0) refuse("its table has no primary key");
  const { lifecycle } = mapping;
  if (lifecycle.kind === "rules" || lifecycle.kind === "untold") refuse(`${lifecycle.owner} publishes it`);
  if (lifecycle.kind === "unknown") refuse("no column shows which rows are published");
  if (lifecycle.kind === "log" && mark === "column") {
    refuse(
      "its rows do not show whether they were published; use `relay.source: cdc` with `cdc.mark: delete` or `none`",
    );
  }
  if (mark === "column" && lifecycle.kind === "status" && lifecycle.published.length === 0) {
    refuse("no word for published is known; set lifecycle.published");
  }
}

function orderingOf({ ordering, mapping }: RelayTableOptions): RelayOrdering {
  if (ordering === "none") return { kind: "none", reason: "The relay is configured with ordering: none." };
  if (!mapping.columns.aggregateId) {
    return { kind: "none", reason: "The table has no column that names the aggregate." };
  }
  if (mapping.columns.order) return { kind: "aggregate", reason: null };
  const reason = mapping.columns.createdAt
    ? "The table has no sequence column: messages are ordered by creation time, which is not the order of commits."
    : "The table has neither a sequence column nor a creation time: messages are ordered by id.";
  return { kind: "best_effort", reason };
}

async function canMove(sessions: RelaySessions, mapping: OutboxMapping): Promise<boolean> {
  const reason = await sessions.plain((client) => whyRowsCannotMove(client, mapping.table));
  return reason === null;
}

import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import type { RelayOrdering, RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { TableChangedError } from "#db/stores/port/table-changed-error.ts";
import { compareOrder, orderComparison } from "#db/stores/shared/relay/compare-order.ts";
import { type DeadRepresentation, deadRepresentation } from "#db/stores/shared/relay/dead-representation.ts";
import { pausesInForce } from "#db/stores/shared/relay/pauses-in-force.ts";
import { AppError } from "#domain/errors.ts";
import { whyRowsCannotMove } from "../catalog/can-move-rows.ts";
import type { OwnPlace } from "../connection/own-place.ts";
import { RelaySessions } from "../connection/sessions.ts";
import { ownTables } from "../own-schema/schema.ts";
import { whoLocksOurs } from "../own-schema/who-locks.ts";
import { claimImages } from "../replication/claim-images.ts";
import { createRelayStream } from "../replication/relay-stream.ts";
import { requireTransactions } from "../tables/require-transactions.ts";
import { requireZones } from "../tables/zones.ts";
import { claimFollowers } from "./claim/claim-followers.ts";
import { claimNew, hasNew } from "./claim/claim-new.ts";
import { claimDueRetries, listRetries } from "./claim/claim-retries.ts";
import { claimHead, listSuspects } from "./claim/claim-suspect.ts";
import { findHead } from "./claim/find-head.ts";
import { findBefore, findUnread } from "./claim/find-unread.ts";
import { lookAhead } from "./claim/look-ahead.ts";
import { readPauses } from "./claim/pause-filter.ts";
import { skipDeadRows } from "./claim/skip-dead-rows.ts";
import { foreignPublishes, recentlyPublished } from "./lease/foreign-relay.ts";
import { endStrayClaims, withHistory, writeHeartbeat } from "./lease/heartbeat.ts";
import { acquireLease, endTerm, releaseLease, renewLease } from "./lease/lease.ts";
import { readShares } from "./lease/shares.ts";
import { listen } from "./listen.ts";
import { mappingFits } from "./mapping-fits.ts";
import { type PortErrorsOptions, withPortErrors } from "./port-errors.ts";
import { type RowReader, rowReader } from "./read-row.ts";
import type { RelayContext } from "./relay-context.ts";
import { undoAttempts } from "./settle/attempts.ts";
import { dropReusedIds } from "./settle/drop-reused-ids.ts";
import { settle } from "./settle/settle.ts";
import { openStoreRelays, type StoreRelays } from "./store-relays.ts";
import { NO_FACTS, readTableFacts } from "./table-facts.ts";
import { TableGuard } from "./table-guard.ts";
import { OpenTransactions } from "./transactions/open-transactions.ts";
import { WINDOW_MS } from "./transactions/transaction-horizon.ts";
import { withFacts } from "./with-facts.ts";

export interface RelayTableOptions {
  outbox: string;
  mapping: OutboxMapping;
  url: string;
  /** Where our own tables live. */
  own: OwnPlace;
  /** What it shares with other relays of the URL; by default nothing. */
  relays?: StoreRelays;
  ordering: "aggregate" | "none";
  maxAttempts: number;
  /** What happens to an aggregate when one of its messages is dead; default `pass`: it goes on. */
  onDead?: "pass" | "hold";
  relayId: string;
  sinkName: string;
  /** The accepted mapping: the relay stops if the table no longer matches it. Omitted: nothing is compared. */
  accepted?: MappingFingerprint;
  /** Further columns to read, keyed by their names in messages (`relay.route.fields`). */
  fields?: Readonly<Record<string, string>>;
  /** The reader of the binary log, for a relay that reads it. */
  cdc?: { reader: string; mark: RelayContext["mark"] };
}

/**
 * The relay's operations on one outbox table of MySQL or MariaDB. Connects on first use. Throws invalid_input if the
 * table cannot be published.
 */
export function createRelayTable(options: RelayTableOptions): RelayTable {
  const { mapping, outbox, cdc } = options;
  const mark = cdc?.mark ?? "column";
  requirePublishable(mapping, outbox, mark);
  const context = contextOf(options, mark);
  const { sessions, transactions, maxAttempts } = context;
  let reader: RowReader = rowReader(context, true);
  const readFacts = async () => {
    context.facts = await sessions.single((session) => readTableFacts(session, mapping));
    reader = rowReader(context, true);
  };
  const using = <T>(work: () => Promise<T>): Promise<T> => withFacts(readFacts, work);

  let representation: DeadRepresentation | undefined;
  /** Read once from the catalog: whether rows may move does not change while a relay runs, or its settle reports it. */
  const readRepresentation = async () => {
    representation ??= mark === "none" ? "beside" : deadRepresentation(mapping, await canMove(sessions, mapping));
    return representation;
  };

  let warm = false;
  /** A standby opens only the connections it needs. The first term opens all in the background. */
  const beginTerm: RelayTable["acquireLease"] = async (request) => {
    await sessions.single(async (session) => {
      await requireZones(session, mapping);
      await requireTransactions(session, mapping.table);
    });
    if (options.accepted && !(await mappingFits(context, options.accepted))) throw new TableChangedError(outbox);
    const lease = await acquireLease(context, request);
    if (lease) await readFacts();
    if (lease && !warm) {
      warm = true;
      void sessions.warmUp();
    }
    return lease;
  };

  const table: RelayTable = {
    outbox,
    get ordering() {
      return orderingOf(options, transactions.readable);
    },
    maxAttempts,
    // A place in the log has two parts.
    compareOrder: mark === "none" ? compareOrder : orderComparison(options.mapping),
    acquireLease: beginTerm,
    readShares: ({ silentMs }) => readShares(context, silentMs),
    renewLease: (lease) => renewLease(context, lease),
    endTerm: (term) => endTerm(context, term),
    releaseLease: (lease) => releaseLease(context, lease),
    claimNew: (request) => using(() => claimNew(context, reader, request)),
    hasNew: (request) => using(() => hasNew(context, request)),
    findUnread: (request) => using(() => findUnread(context, request)),
    findBefore: ({ request, before }) => using(() => findBefore(context, request, before)),
    skipDeadRows: (after) => using(() => skipDeadRows(context, after)),
    lookAhead: (request) => using(() => lookAhead(context, request)),
    ...(takesKeys(options.mapping) ? { claimsByKey: true } : {}),
    claimFollowers: (request) => using(() => claimFollowers(context, reader, request)),
    claimDueRetries: (input) =>
      using(
        async () =>
          (mark === "none" ? await claimImages(context, input) : null) ?? claimDueRetries(context, reader, input),
      ),
    listRetries: ({ lease }) => listRetries(context, lease),
    listSuspects: ({ lease }) => using(() => listSuspects(context, lease)),
    get suspectCount() {
      return context.suspects.size;
    },
    claimSuspect: ({ lease, suspect, token }) =>
      using(() => claimHead(context, reader, { lease, message: suspect, from: null, aloneAs: token })),
    claimHead: ({ lease, message, from }) =>
      mark === "none"
        ? claimImages(context, { lease, only: message.id })
        : using(() => claimHead(context, reader, { lease, message, from, aloneAs: null })),
    findHead: ({ request, ...which }) => using(() => findHead(context, request, which)),
    leaveOut: (eventTypes) => {
      context.leftOut = eventTypes;
    },
    settle: (request) => using(() => settle(context, request, readRepresentation)),
    undoAttempts: (input) => using(() => undoAttempts(context, input)),
    dropReusedIds: (after) => using(() => dropReusedIds(context, after)),
    endStrayClaims: (input) => endStrayClaims(context, input),
    withHistory: (ids) => withHistory(context, ids),
    readPauses: () => readPauses(context),
    writeHeartbeat: (beat, { silentMs }) => writeHeartbeat(context, beat, silentMs),
    listen,
    foreignPublishes: async () => (mark === "none" ? 0 : foreignPublishes(context)),
    recentlyPublished: async (input) => (mark === "none" ? [] : using(() => recentlyPublished(context, input))),
    ...(cdc
      ? { stream: createRelayStream({ context, reader: () => reader, using, url: options.url, name: cdc.reader }) }
      : {}),
    close: () => transactions.close().then(() => sessions.close()),
  };
  const whoLocks: PortErrorsOptions["whoLocks"] = (what) => sessions.single((session) => whoLocksOurs(session, what));
  return withPortErrors(table, { accepted: options.accepted !== undefined, whoLocks });
}

function contextOf(options: RelayTableOptions, mark: RelayContext["mark"]): RelayContext {
  const { outbox, mapping, relayId, sinkName, accepted } = options;
  const { pool, samples } = options.relays ?? openStoreRelays({ url: options.url, own: options.own });
  const sessions = RelaySessions.of(pool);
  const own = ownTables(options.own);
  return {
    outbox,
    mapping,
    sessions,
    own,
    lanes: orderingOf(options, true).kind !== "none",
    relayId,
    sinkName,
    maxAttempts: Math.min(options.maxAttempts, mapping.deadAttempts ?? options.maxAttempts),
    accepted,
    guard: new TableGuard(outbox, mapping.table, accepted),
    fields: options.fields ?? {},
    mark,
    onDead: options.onDead ?? "pass",
    paused: pausesInForce("", []),
    leftOut: [],
    suspects: new Set(),
    facts: NO_FACTS,
    transactions: new OpenTransactions(samples, sessions, mapping.table),
    marks: { seen: "nothing" },
  };
}

function requirePublishable(mapping: OutboxMapping, outbox: string, mark: RelayContext["mark"]): void {
  const refuse = (reason: string): never => {
    throw new AppError("invalid_input", `The outbox ${outbox} cannot be published by this relay: ${reason}.`);
  };
  const { lifecycle } = mapping;
  if (mapping.primaryKey.length === 0) refuse("its table has no primary key");
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

/**
 * Not where a sequence orders the rows: a read does not tell which of them were written before a long transaction that
 * is still open, whose rows a list lacks. Not with keys of two columns, which MariaDB searches no index for.
 */
function takesKeys({ columns, primaryKey }: OutboxMapping): boolean {
  return !columns.order && primaryKey.length === 1;
}

/** `readsTransactions`: the server shows which transactions are open. */
function orderingOf({ ordering, mapping }: RelayTableOptions, readsTransactions: boolean): RelayOrdering {
  if (ordering === "none") return { kind: "none", reason: "The relay is configured with ordering: none." };
  if (!mapping.columns.aggregateId) {
    return { kind: "none", reason: "The table has no column that names the aggregate." };
  }
  if (!mapping.columns.order) {
    const reason = mapping.columns.createdAt
      ? "The table has no sequence column: messages are ordered by creation time, which is not the order of commits."
      : "The table has neither a sequence column nor a creation time: messages are ordered by id.";
    return { kind: "best_effort", reason };
  }
  if (readsTransactions) return { kind: "aggregate", reason: null };
  return {
    kind: "best_effort",
    reason: `The database user may not see which transactions are open (it lacks the PROCESS privilege): a transaction that takes longer than ${WINDOW_MS / 1000} s may be overtaken.`,
  };
}

async function canMove(sessions: RelaySessions, mapping: OutboxMapping): Promise<boolean> {
  const reason = await sessions.single((session) => whyRowsCannotMove(session, mapping.table));
  return reason === null;
}

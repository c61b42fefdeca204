import { type SQL, sql } from "drizzle-orm";
import type { MySqlColumn, SelectedFields } from "drizzle-orm/mysql-core";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { MessageFilter, MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { scopeOf } from "#db/stores/shared/read/filter-scope.ts";
import type { MovedPlace } from "#db/stores/shared/read/found-message.ts";
import type { Keyset, SortKey } from "#db/stores/shared/read/keyset.ts";
import { nativeInFlight } from "#db/stores/shared/states/claim-predicates.ts";
import { ALWAYS, all, isNotTrue, NEVER, not } from "#db/stores/shared/states/conditions.ts";
import { dead, expired, published, tellsFailures } from "#db/stores/shared/states/state-predicates.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import type { TablePart } from "#db/stores/shared/tables/table-part.ts";
import type { OwnTables, Session } from "../connection/session.ts";
import type { Order } from "../plans/find-access.ts";
import { kindOf } from "../tables/column-kinds.ts";
import { instantText, keyText, type Row } from "../tables/column-values.ts";
import { m, movedRowColumns, movedTables, type Selects, tableRowColumns } from "../tables/message-columns.ts";
import { movedFilters, type Searches, tableFilters } from "../tables/message-filter.ts";
import { keyFromId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import {
  claimed,
  claimedWith,
  d,
  deliveryOf,
  hasFailed,
  isClaimed,
  isDead,
  isUnknown,
  isUnsent,
  type RowsQuery,
  selectFrom,
  selectRows,
  stateOf,
} from "../tables/states/message-state.ts";

/** One place to read a tab's messages from. */
export interface ListSource {
  /** Ties cursors to this place and filter. */
  scope: string;
  columns: Selects<MessageRow>;
  /** Its messages are rows `t` with delivery `d`; false for those that have left the table. */
  inTable: boolean;
  /** `rows`: the rows `t` of the team's table to read, as a FROM item; default: the table itself. */
  select: <Fields extends SelectedFields>(session: Session, fields: Fields, rows?: SQL) => RowsQuery<Fields>;
  where: SQL;
  keyset: Keyset;
  /** The columns of the keyset, if they are those of the team's table. */
  order: Order | null;
  /** The search that the team's indexes may serve; null if store-side indexes serve it. */
  search: (Searches & { part: TablePart }) | null;
  /** The same messages in the order of deliveries, newest first, for a table whose indexes have only that one. */
  otherwise?: ListSource;
}

/** The places that hold the messages of a tab, in list order. */
export function listSources(own: OwnTables, ref: OutboxRef, filter: MessageFilter): ListSource[] {
  const outbox = outboxTable(ref.mapping);
  const newestFirst = (part: TablePart, where: SQL) =>
    where === NEVER && part !== "published" ? [] : [tableSource(own, ref, filter, { part, where, descending: true })];
  switch (filter.state) {
    case "archived":
      return ref.storeSide ? [movedSource(ref, filter, "archive")] : [];
    case "dead":
      return deadSources(own, ref, filter);
    case "failing":
      return [failedSource(own, ref, filter), ...deadSources(own, ref, filter)];
    case "failed":
      return [failedSource(own, ref, filter)];
    case "in_flight":
      return inFlightSources(own, ref, filter);
    case "published":
      return newestFirst("published", published(outbox));
    case "expired":
      return newestFirst("unpublished", all(expired(outbox), sql`${stateOf(ref)} = 'expired'`));
    case "unknown":
      return newestFirst("unknown", isUnknown(ref));
    case "pending":
      if (ref.mapping.lifecycle.kind === "log")
        return recordedSources(own, ref, filter, sql`${stateOf(ref)} = 'pending'`);
      return [waitingSource(own, ref, filter, sql`${stateOf(ref)} = 'pending'`)];
    case "all":
      return [
        ...newestFirst("all", ALWAYS),
        ...(ref.storeSide ? [movedSource(ref, filter, "dead_letter"), movedSource(ref, filter, "archive")] : []),
      ];
    case "unsent":
      if (ref.mapping.lifecycle.kind === "log")
        return [
          ...recordedSources(own, ref, filter, ALWAYS),
          ...inFlightSources(own, ref, filter).map((one) => ({
            ...one,
            where: all(one.where, sql`${d.messageId} IS NULL`),
          })),
        ];
      return [waitingSource(own, ref, filter, ALWAYS)];
  }
}

function deadSources(own: OwnTables, ref: OutboxRef, filter: MessageFilter): ListSource[] {
  return [...(ref.storeSide ? [movedSource(ref, filter, "dead_letter")] : []), ...deadInTable(own, ref, filter)];
}

function waitingSource(own: OwnTables, ref: OutboxRef, filter: MessageFilter, state: SQL): ListSource {
  return tableSource(own, ref, filter, { part: "waiting", where: all(isUnsent(ref), state), descending: false });
}

/** What waits by our records, where the table says nothing of it. */
function recordedSources(own: OwnTables, ref: OutboxRef, filter: MessageFilter, state: SQL): ListSource[] {
  if (!ref.storeSide) return [];
  const where = all(isUnsent(ref), state);
  return [deliverySource(own, ref, filter, { scope: "recorded", where, time: d.nextAttemptAt })];
}

function failedSource(own: OwnTables, ref: OutboxRef, filter: MessageFilter): ListSource {
  if (ref.storeSide && !tellsFailures(ref)) {
    const where = all(isUnsent(ref), sql`${d.attempts} > 0`, not(isClaimed(ref, "live")));
    return deliverySource(own, ref, filter, { scope: "failed", where, time: d.lastFailedAt });
  }
  const where = all(isUnsent(ref), hasFailed(ref), sql`${stateOf(ref)} = 'failed'`);
  return tableSource(own, ref, filter, { part: "failed", where, descending: false });
}

function inFlightSources(own: OwnTables, ref: OutboxRef, filter: MessageFilter): ListSource[] {
  const outbox = outboxTable(ref.mapping);
  const isNative = nativeInFlight(outbox) !== NEVER;
  if (isNative) return [waitingSource(own, ref, filter, sql`${stateOf(ref)} = 'in_flight'`)];
  if (!ref.storeSide) return [];
  const source = waitingSource(own, ref, filter, ALWAYS);
  const select: ListSource["select"] = (session, fields) => {
    const claims = claimed(own, ref);
    const byClaim = all(sql`claimed.live`, keyFromId(outbox, sql`claimed.id`));
    const known = all(sql`${d.outbox} = ${ref.name}`, sql`${d.messageId} = claimed.id`);
    const query = selectFrom(session, [claims], fields, sql`claimed`);
    return joined(joined(query.innerJoin(outbox.rows, byClaim)).leftJoin(deliveryOf(own), known));
  };
  return [{ ...source, scope: scopeOf("in_flight", filter), select, order: null, search: null }];
}

/** Safe cast: joins only add columns, and each select names its own. */
function joined<Fields extends SelectedFields>(query: unknown): RowsQuery<Fields> {
  return query as RowsQuery<Fields>;
}

/** Dead by the table's own columns, and dead by the store side if a row could not be moved. */
function deadInTable(own: OwnTables, ref: OutboxRef, filter: MessageFilter): ListSource[] {
  const native = dead(outboxTable(ref.mapping));
  const byTable = all(native, sql`${stateOf(ref)} = 'dead'`);
  const beside = all(isDead(ref), isNotTrue(native));
  return [
    ...(native === NEVER ? [] : [deadByTable(own, ref, filter, byTable)]),
    ...(ref.storeSide
      ? [deliverySource(own, ref, filter, { scope: "dead_beside", where: beside, time: d.deadAt })]
      : []),
  ];
}

/** After the state, an index usually has the columns of the delivery order, not the creation time. */
function deadByTable(own: OwnTables, ref: OutboxRef, filter: MessageFilter, where: SQL): ListSource {
  const part = { part: "dead" as const, where, descending: true };
  const source = tableSource(own, ref, filter, part);
  const order = keyedOrder(ref, orderColumn(ref.mapping), true);
  const asDelivered = tableSource(own, ref, filter, { ...part, order });
  return { ...source, otherwise: { ...asDelivered, scope: `${asDelivered.scope}&as delivered` } };
}

/** Messages found through `delivery`, joined to their rows by key. */
function deliverySource(
  own: OwnTables,
  ref: OutboxRef,
  filter: MessageFilter,
  { scope, where, time }: { scope: string; where: SQL; time: MySqlColumn },
): ListSource {
  const outbox = outboxTable(ref.mapping);
  const known = all(sql`${d.outbox} = ${ref.name}`, sql`${time} IS NOT NULL`);
  return {
    scope: scopeOf(scope, filter),
    columns: tableRowColumns(own, ref),
    inTable: true,
    select: (session, fields) => {
      const query = selectFrom(session, claimedWith(own, ref), fields, deliveryOf(own));
      return joined(query.innerJoin(outbox.rows, keyFromId(outbox, sql`${d.messageId}`)));
    },
    where: all(known, where, tableFilters(ref, filter).where),
    keyset: { descending: true, keys: [timeKey(time), idKey(d.messageId)] },
    order: null,
    search: null,
  };
}

function movedSource(ref: OutboxRef, filter: MessageFilter, place: MovedPlace): ListSource {
  const moved = m[place];
  const time = place === "archive" ? m.archive.archivedAt : moved.deadAt;
  return {
    scope: scopeOf(place, filter),
    columns: movedRowColumns(ref, place),
    inTable: false,
    select: (session, fields) => selectFrom(session, [], fields, movedTables(session.own)[place]),
    where: all(sql`${moved.outbox} = ${ref.name}`, movedFilters(ref, place, filter)),
    keyset: { descending: true, keys: [timeKey(time), idKey(moved.messageId)] },
    order: null,
    search: null,
  };
}

interface TablePlace {
  part: TablePart;
  where: SQL;
  descending: boolean;
  /** Default: that of the tab. */
  order?: Order;
}

function tableSource(
  own: OwnTables,
  ref: OutboxRef,
  filter: MessageFilter,
  { part, where, descending, order = tableOrder(ref, descending) }: TablePlace,
): ListSource {
  const filters = tableFilters(ref, filter);
  return {
    scope: scopeOf(filter.state, filter),
    columns: tableRowColumns(own, ref),
    inTable: true,
    select: (session, fields, rows) => selectRows(session, ref, fields, rows),
    where: all(where, filters.where),
    keyset: { descending, keys: order.columns.map((column, at) => tableKey(ref, column, at)) },
    order,
    search: { ...filters.searches, part },
  };
}

/** Sorts waiting messages by delivery order, others by creation time; then by key, which is never null. */
function tableOrder(ref: OutboxRef, descending: boolean): Order {
  const { mapping } = ref;
  return keyedOrder(ref, descending ? mapping.columns.createdAt : orderColumn(mapping), descending);
}

function keyedOrder({ mapping }: OutboxRef, leading: MappedColumn | undefined, descending: boolean): Order {
  const lead = leading ? [leading] : [];
  return { columns: [...lead, ...mapping.primaryKey.filter((column) => column.name !== lead[0]?.name)], descending };
}

function tableKey({ mapping }: OutboxRef, column: MappedColumn, at: number): SortKey {
  return sortKeyOf(outboxTable(mapping), at === 0 ? column : { ...column, nullable: false });
}

/** An enum sorts by its word's number, so its cursor is compared as a number. */
export function sortKeyOf(row: Row, column: MappedColumn): SortKey {
  const { type, nullable } = column;
  const value = row.column(column);
  if (kindOf(type) === "words")
    return { value, text: sql`CAST(${value} + 0 AS CHAR)`, type: "bigint unsigned", nullable };
  return { value, text: keyText(row, column), type, nullable };
}

function timeKey(column: MySqlColumn): SortKey {
  return { value: sql`${column}`, text: instantText(sql`${column}`), type: "datetime(6)" };
}

/** Of our own ids, which compare as bytes. */
function idKey(column: MySqlColumn): SortKey {
  return { value: sql`${column}`, text: sql`${column}`, type: "text" };
}

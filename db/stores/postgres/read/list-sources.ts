import { type SQL, type Subquery, sql } from "drizzle-orm";
import type { PgColumn, SelectedFields } from "drizzle-orm/pg-core";
import type { MessageFilter, MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { scopeOf } from "#db/stores/shared/read/filter-scope.ts";
import type { MovedPlace } from "#db/stores/shared/read/found-message.ts";
import type { Keyset, SortKey } from "#db/stores/shared/read/keyset.ts";
import { nativeInFlight } from "#db/stores/shared/states/claim-predicates.ts";
import { ALWAYS, all, isNotTrue, NEVER, not } from "#db/stores/shared/states/conditions.ts";
import { dead, deadAlone, expired, published, tellsFailures } from "#db/stores/shared/states/state-predicates.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import type { TablePart } from "#db/stores/shared/tables/table-part.ts";
import type { Database } from "../connection/query-on.ts";
import { instantText, keyText } from "../tables/column-values.ts";
import { movedRowColumns, movedTables, type Selects, tableRowColumns } from "../tables/message-columns.ts";
import { movedFilters, type Searches, tableFilters } from "../tables/message-filter.ts";
import { keyFromId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import {
  claimed,
  claimedWith,
  d,
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
  /** `rows`: the rows of the team's table to read, as a subquery `t`; default: the table itself. */
  select: <Fields extends SelectedFields>(db: Database, fields: Fields, rows?: Subquery) => RowsQuery<Fields>;
  where: SQL;
  keyset: Keyset;
  /** The search that the team's indexes may serve; null if store-side indexes serve it. */
  search: (Searches & { part: TablePart }) | null;
  /**
   * An index of our records gives them in the order of the list: delivery_newest_idx, dead_letter_time_idx and the
   * like.
   */
  recordsInOrder?: boolean;
}

/** The places that hold the messages of a tab, in list order. */
export function listSources(ref: OutboxRef, filter: MessageFilter): ListSource[] {
  const outbox = outboxTable(ref.mapping);
  const newestFirst = (part: TablePart, where: SQL) =>
    where === NEVER && part !== "published" ? [] : [tableSource(ref, filter, { part, where, descending: true })];
  switch (filter.state) {
    case "archived":
      return ref.storeSide ? [movedSource(ref, filter, "archive")] : [];
    case "dead":
      return deadSources(ref, filter);
    case "failing":
      return [failedSource(ref, filter), ...deadSources(ref, filter)];
    case "failed":
      return [failedSource(ref, filter)];
    case "in_flight":
      return inFlightSources(ref, filter);
    case "published":
      return newestFirst("published", published(outbox));
    case "expired":
      return newestFirst("unpublished", all(expired(outbox), sql`${stateOf(ref)} = 'expired'`));
    case "unknown":
      return newestFirst("unknown", isUnknown(ref));
    case "pending":
      if (ref.mapping.lifecycle.kind === "log") return recordedSources(ref, filter, sql`${stateOf(ref)} = 'pending'`);
      return [waitingSource(ref, filter, sql`${stateOf(ref)} = 'pending'`)];
    case "all":
      return [
        ...newestFirst("all", ALWAYS),
        ...(ref.storeSide ? [movedSource(ref, filter, "dead_letter"), movedSource(ref, filter, "archive")] : []),
      ];
    case "unsent":
      if (ref.mapping.lifecycle.kind === "log")
        return [
          ...recordedSources(ref, filter, ALWAYS),
          ...inFlightSources(ref, filter).map((one) => ({
            ...one,
            where: all(one.where, sql`${d.messageId} IS NULL`),
          })),
        ];
      return [waitingSource(ref, filter, ALWAYS)];
  }
}

function deadSources(ref: OutboxRef, filter: MessageFilter): ListSource[] {
  return [...(ref.storeSide ? [movedSource(ref, filter, "dead_letter")] : []), ...deadInTable(ref, filter)];
}

function waitingSource(ref: OutboxRef, filter: MessageFilter, state: SQL): ListSource {
  return tableSource(ref, filter, { part: "waiting", where: all(isUnsent(ref), state), descending: false });
}

/** Waiting messages by our records, where the table does not show them. */
function recordedSources(ref: OutboxRef, filter: MessageFilter, state: SQL): ListSource[] {
  if (!ref.storeSide) return [];
  const where = all(isUnsent(ref), state);
  return [deliverySource(ref, filter, { scope: "recorded", where, time: d.nextAttemptAt })];
}

function failedSource(ref: OutboxRef, filter: MessageFilter): ListSource {
  if (ref.storeSide && !tellsFailures(ref)) {
    const where = all(isUnsent(ref), sql`${d.attempts} > 0`, not(isClaimed(ref, "live")));
    return deliverySource(ref, filter, { scope: "failed", where, time: d.lastFailedAt });
  }
  const where = all(isUnsent(ref), hasFailed(ref), sql`${stateOf(ref)} = 'failed'`);
  return tableSource(ref, filter, { part: "failed", where, descending: false });
}

function inFlightSources(ref: OutboxRef, filter: MessageFilter): ListSource[] {
  const outbox = outboxTable(ref.mapping);
  const isNative = nativeInFlight(outbox) !== NEVER;
  if (isNative) return [waitingSource(ref, filter, sql`${stateOf(ref)} = 'in_flight'`)];
  if (!ref.storeSide) return [];
  const source = waitingSource(ref, filter, ALWAYS);
  const select: ListSource["select"] = (db, fields) => {
    const claims = claimed(ref);
    const byClaim = all(sql`claimed.live`, keyFromId(outbox, sql`claimed.id`));
    const known = all(sql`${d.outbox} = ${ref.name}`, sql`${d.messageId} = claimed.id`);
    const query = selectFrom(db, [claims], fields, claims);
    return joined(joined(query.innerJoin(outbox.rows, byClaim)).leftJoin(d, known));
  };
  return [{ ...source, scope: "in_flight", select, search: null }];
}

/** Safe cast: joins only add columns, and each select names its own. */
function joined<Fields extends SelectedFields>(query: unknown): RowsQuery<Fields> {
  return query as RowsQuery<Fields>;
}

/** Dead by the table's own columns, and dead by the store side if a row could not be moved. */
function deadInTable(ref: OutboxRef, filter: MessageFilter): ListSource[] {
  const native = dead(outboxTable(ref.mapping));
  const byTable = deadAlone(outboxTable(ref.mapping));
  const beside = all(isDead(ref), isNotTrue(native));
  return [
    ...(native === NEVER ? [] : [tableSource(ref, filter, { part: "dead", where: byTable, descending: true })]),
    ...(ref.storeSide ? [deliverySource(ref, filter, { scope: "dead_beside", where: beside, time: d.deadAt })] : []),
  ];
}

/** Messages found through `delivery`, joined to their rows by key. */
function deliverySource(
  ref: OutboxRef,
  filter: MessageFilter,
  { scope, where, time }: { scope: string; where: SQL; time: PgColumn },
): ListSource {
  const outbox = outboxTable(ref.mapping);
  const known = all(sql`${d.outbox} = ${ref.name}`, sql`${time} IS NOT NULL`);
  return {
    scope: scopeOf(scope, filter),
    columns: tableRowColumns(ref),
    select: (db, fields) => {
      const query = selectFrom(db, claimedWith(ref), fields, d);
      return joined(query.innerJoin(outbox.rows, keyFromId(outbox, sql`${d.messageId}`)));
    },
    where: all(known, where, tableFilters(ref, filter).where),
    keyset: { descending: true, keys: [timeKey(time), textKey(d.messageId)] },
    search: null,
    // The records of one group are found by another index, and are few or most.
    recordsInOrder: filter.group === undefined,
  };
}

function movedSource(ref: OutboxRef, filter: MessageFilter, place: MovedPlace): ListSource {
  const m = movedTables[place];
  const time = place === "archive" ? movedTables.archive.archivedAt : m.deadAt;
  return {
    scope: scopeOf(place, filter),
    columns: movedRowColumns(ref, place),
    select: (db, fields) => selectFrom(db, [], fields, m),
    where: all(sql`${m.outbox} = ${ref.name}`, movedFilters(ref, place, filter)),
    keyset: { descending: true, keys: [timeKey(time), textKey(m.messageId)] },
    search: null,
  };
}

function tableSource(
  ref: OutboxRef,
  filter: MessageFilter,
  { part, where, descending }: { part: TablePart; where: SQL; descending: boolean },
): ListSource {
  const filters = tableFilters(ref, filter);
  return {
    scope: scopeOf(filter.state, filter),
    columns: tableRowColumns(ref),
    select: (db, fields, rows) => selectRows(db, ref, fields, rows),
    where: all(where, filters.where),
    keyset: { descending, keys: tableKeys(ref, descending) },
    search: { ...filters.searches, part },
  };
}

/** Sorts waiting messages by delivery order, others by creation time; then by key, which is never null. */
function tableKeys(ref: OutboxRef, descending: boolean): SortKey[] {
  const { mapping } = ref;
  const leading = descending ? mapping.columns.createdAt : orderColumn(mapping);
  const lead = leading ? [leading] : [];
  const columns = [...lead, ...mapping.primaryKey.filter((column) => column.name !== lead[0]?.name)];
  const outbox = outboxTable(mapping);
  const keys = columns.map((column): SortKey => {
    const { type, nullable } = column;
    return { value: outbox.column(column), text: keyText(outbox, column), type, nullable };
  });
  return keys.map((key, index) => (index === 0 ? key : { ...key, nullable: false }));
}

function timeKey(column: PgColumn): SortKey {
  return { value: sql`${column}`, text: instantText(sql`${column}`), type: "timestamptz" };
}

function textKey(column: PgColumn): SortKey {
  return { value: sql`${column}`, text: sql`${column}`, type: "text" };
}

import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { MessageFilter } from "#db/stores/port/message-row.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { TablePart } from "../plans/table-access.ts";
import { keyFromId } from "../tables/key-from-id.ts";
import type { Keyset, SortKey } from "../tables/keyset.ts";
import {
  columnSql,
  expiredPredicate,
  keyText,
  messageIdExpression,
  nativeDeadPredicate,
  orderColumn,
  publishedPredicate,
  quoteTable,
  unknownPredicate,
  unsentPredicate,
} from "../tables/mapping-sql.ts";
import { addMovedFilters, addTableFilters, Conditions, type Searches } from "../tables/message-filter.ts";
import {
  claimsCte,
  deadPredicate,
  fromTable,
  hasFailedPredicate,
  movedRowColumns,
  nativeInFlightPredicate,
  stateExpression,
  tableRowColumns,
} from "../tables/message-sql.ts";

/** One place to read a tab's messages from. */
export interface ListSource {
  /** Binds cursors to this place. */
  scope: string;
  cte: string;
  columns: string;
  /** The rows of the team's table that are looked at, as a subquery; the table itself where it is not given. */
  from: (rows?: string) => string;
  where: string;
  values: unknown[];
  keyset: Keyset;
  /** What indexes of the team's table may serve; null where those of the store side do. */
  search: (Searches & { part: TablePart }) | null;
}

/** Where the messages of a tab are: first what is in the table, then what was moved out of it. */
export function listSources(ref: OutboxRef, filter: MessageFilter): ListSource[] {
  switch (filter.state) {
    case "archived":
      return ref.storeSide ? [movedSource(ref, filter, "archive")] : [];
    case "dead":
      return ref.storeSide
        ? [movedSource(ref, filter, "dead_letter"), ...deadInTable(ref, filter)]
        : deadInTable(ref, filter);
    case "failed":
      return [failedSource(ref, filter)];
    case "in_flight":
      return inFlightSources(ref, filter);
    case "published":
      return [
        tableSource(ref, filter, {
          part: "published",
          where: publishedPredicate(ref.mapping, "t"),
          descending: true,
        }),
      ];
    case "expired":
      if (expiredPredicate(ref.mapping, "t") === "false") return [];
      return [
        tableSource(ref, filter, {
          part: "unpublished",
          where: `${expiredPredicate(ref.mapping, "t")} AND ${stateExpression(ref)} = 'expired'`,
          descending: true,
        }),
      ];
    case "unknown":
      if (unknownPredicate(ref.mapping, "t") === "false") return [];
      return [
        tableSource(ref, filter, { part: "unknown", where: unknownPredicate(ref.mapping, "t"), descending: true }),
      ];
    case "pending":
      return [
        tableSource(ref, filter, {
          part: "waiting",
          where: `${unsent(ref)} AND ${stateExpression(ref)} = 'pending'`,
          descending: false,
        }),
      ];
    case "all":
      return [
        tableSource(ref, filter, { part: "all", where: "true", descending: true }),
        ...(ref.storeSide ? [movedSource(ref, filter, "dead_letter"), movedSource(ref, filter, "archive")] : []),
      ];
    case "unsent":
      return [tableSource(ref, filter, { part: "waiting", where: unsent(ref), descending: false })];
  }
}

/** Unsent by the table and not given up on beside it. */
function unsent(ref: OutboxRef): string {
  const native = unsentPredicate(ref.mapping, "t");
  return ref.storeSide ? `${native} AND d.dead_at IS NULL` : native;
}

/** Whether the table itself tells that an attempt failed. */
function tellsFailures(ref: OutboxRef): boolean {
  const { lifecycle, columns } = ref.mapping;
  return columns.attempts !== undefined || (lifecycle.kind === "status" && lifecycle.failed.length > 0);
}

function failedSource(ref: OutboxRef, filter: MessageFilter): ListSource {
  if (ref.storeSide && !tellsFailures(ref)) {
    const where = `${unsent(ref)} AND d.attempts > 0 AND ${messageIdExpression(ref.mapping, "t")} NOT IN (SELECT id FROM claimed WHERE live)`;
    return besideSource(ref, filter, { scope: "failed", where, time: "last_failed_at" });
  }
  return tableSource(ref, filter, {
    part: "failed",
    where: `${unsent(ref)} AND ${hasFailedPredicate(ref)} AND ${stateExpression(ref)} = 'failed'`,
    descending: false,
  });
}

function inFlightSources(ref: OutboxRef, filter: MessageFilter): ListSource[] {
  const native = nativeInFlightPredicate(ref.mapping);
  if (!ref.storeSide && native === "false") return [];
  if (!ref.storeSide || native !== "false") {
    return [
      tableSource(ref, filter, {
        part: "waiting",
        where: `${unsent(ref)} AND ${stateExpression(ref)} = 'in_flight'`,
        descending: false,
      }),
    ];
  }
  const source = tableSource(ref, filter, { part: "waiting", where: unsent(ref), descending: false });
  const claimedRows = `(SELECT id FROM claimed WHERE live) c JOIN ${quoteTable(ref.mapping.table)} t ON ${keyFromId(ref.mapping, "c.id", "t")}
    LEFT JOIN outbox_console.delivery d ON d.outbox = $1 AND d.message_id = c.id`;
  return [{ ...source, scope: "in_flight", from: () => claimedRows, search: null }];
}

/** Dead by the table's own word, and dead beside a row that could not be moved. */
function deadInTable(ref: OutboxRef, filter: MessageFilter): ListSource[] {
  const native = nativeDeadPredicate(ref.mapping, "t");
  const sources: ListSource[] = [];
  if (native !== "false")
    sources.push(
      tableSource(ref, filter, {
        part: "dead",
        where: `${native} AND ${stateExpression(ref)} = 'dead'`,
        descending: true,
      }),
    );
  if (ref.storeSide) {
    const where = native === "false" ? deadPredicate(ref) : `${deadPredicate(ref)} AND NOT coalesce(${native}, false)`;
    sources.push(besideSource(ref, filter, { scope: "dead_beside", where, time: "dead_at" }));
  }
  return sources;
}

/** Messages found by what is kept beside their rows: `delivery` first, then the row by its key. */
function besideSource(
  ref: OutboxRef,
  filter: MessageFilter,
  input: { scope: string; where: string; time: "last_failed_at" | "dead_at" },
): ListSource {
  const conditions = new Conditions([ref.name]);
  conditions.add(`d.outbox = $1 AND d.${input.time} IS NOT NULL`);
  conditions.add(input.where);
  addTableFilters(conditions, ref, filter);
  return {
    scope: scopeOf(input.scope, filter),
    cte: claimsCte(ref),
    columns: tableRowColumns(ref),
    from: () =>
      `outbox_console.delivery d JOIN ${quoteTable(ref.mapping.table)} t ON ${keyFromId(ref.mapping, "d.message_id", "t")}`,
    where: conditions.where(),
    values: conditions.values,
    keyset: {
      descending: true,
      keys: [timeKey(`d.${input.time}`), { sql: "d.message_id", text: "d.message_id", type: "text" }],
    },
    search: null,
  };
}

function movedSource(ref: OutboxRef, filter: MessageFilter, place: "dead_letter" | "archive"): ListSource {
  const conditions = new Conditions([ref.name]);
  conditions.add("m.outbox = $1");
  addMovedFilters(conditions, filter);
  return {
    scope: scopeOf(place, filter),
    cte: "nothing AS (SELECT 1)",
    columns: movedRowColumns(ref, place),
    from: () => `outbox_console.${place} m`,
    where: conditions.where(),
    values: conditions.values,
    keyset: {
      descending: true,
      keys: [
        timeKey(place === "archive" ? "m.archived_at" : "m.dead_at"),
        { sql: "m.message_id", text: "m.message_id", type: "text" },
      ],
    },
    search: null,
  };
}

function tableSource(
  ref: OutboxRef,
  filter: MessageFilter,
  input: { part: TablePart; where: string; descending: boolean },
): ListSource {
  const conditions = new Conditions([ref.name]);
  conditions.add(input.where);
  const searches = addTableFilters(conditions, ref, filter);
  return {
    scope: scopeOf(filter.state, filter),
    cte: claimsCte(ref),
    columns: tableRowColumns(ref),
    from: (rows) => fromTable(ref, rows),
    where: conditions.where(),
    values: conditions.values,
    keyset: { descending: input.descending, keys: tableKeys(ref, input.descending) },
    search: { ...searches, part: input.part },
  };
}

/** Waiting messages go by the order of delivery, others by creation time; then by key, which is never null. */
function tableKeys(ref: OutboxRef, descending: boolean): SortKey[] {
  const { mapping } = ref;
  const leading = descending ? mapping.columns.createdAt : orderColumn(mapping);
  const lead = leading ? [leading] : [];
  const columns = [...lead, ...mapping.primaryKey.filter((column) => column.name !== lead[0]?.name)];
  const keys = columns.map(columnKey);
  return keys.map((key, index) => (index === 0 ? key : { ...key, nullable: false }));
}

function columnKey(column: MappedColumn): SortKey {
  const { type, nullable } = column;
  return { sql: columnSql(column, "t"), text: keyText(column, "t"), type, nullable };
}

function timeKey(sql: string): SortKey {
  return { sql, text: `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`, type: "timestamptz" };
}

function scopeOf(place: string, filter: MessageFilter): string {
  const { state, ...rest } = filter;
  const set = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .sort();
  return `${state}:${place}:${set.map(([key, value]) => `${key}=${value}`).join("&")}`;
}

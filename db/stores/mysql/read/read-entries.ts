import { type SQL, sql } from "drizzle-orm";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ALWAYS, all } from "#db/stores/shared/states/conditions.ts";
import { forcedRows, type Order, orderBy } from "../plans/find-access.ts";
import { READ_BUDGET, type Reading } from "../plans/table-access.ts";
import { outboxTable } from "../tables/outbox-table.ts";

/** One search of an index. */
export interface Search {
  index: string;
  where: SQL;
  /** Its entries come in the order. */
  ordered: boolean;
}

export interface Cut {
  /** Null where no order is needed. */
  order: Order | null;
  /** Condition of the entries behind a cursor. */
  after?: SQL;
  /** Most entries of all searches together if they are in order, otherwise of each. */
  budget: number;
  /** Each search has its own budget, also if all are in order. */
  apart?: boolean;
  /** Only where all searches are in order. */
  offset?: number;
}

/**
 * Keys of the entries of some searches, as a subquery: the primary key as `k0`, `k1`, …, and the columns of the order
 * as `o0`, …. The index alone answers it, because InnoDB keeps the key in every index. Entries of several ordered
 * searches are merged, so that the budget ends at one place of the order.
 */
export function entryKeys(ref: OutboxRef, searches: readonly Search[], cut: Cut): SQL {
  const { order, after, budget, apart = false, offset = 0 } = cut;
  const outbox = outboxTable(ref.mapping);
  const inOrder = order !== null && !apart && searches.every(({ ordered }) => ordered) ? order : null;
  const sortColumns = inOrder?.columns ?? [];
  const fields = sql.join(
    [
      ...ref.mapping.primaryKey.map((column, at) => sql`${outbox.column(column)} AS ${sql.raw(`k${at}`)}`),
      ...sortColumns.map((column, at) => sql`${outbox.column(column)} AS ${sql.raw(`o${at}`)}`),
    ],
    sql`, `,
  );
  const arms = (limit: string) =>
    searches.map(({ index, where, ordered }) => {
      const sorted = order && ordered ? sql` ORDER BY ${orderBy(outbox, order)}` : undefined;
      const entries = sql`SELECT ${fields} FROM ${forcedRows(outbox, index)} WHERE ${all(where, after ?? ALWAYS)}`;
      return sql`${entries}${sorted}${sql.raw(limit)}`;
    });
  const limit = ` LIMIT ${budget} OFFSET ${offset}`;
  if (searches.length === 1) return arms(limit)[0] ?? sql`SELECT 1`;
  const all_ = sql.join(
    arms(` LIMIT ${budget + offset}`).map((arm) => sql`(${arm})`),
    sql` UNION ALL `,
  );
  if (!inOrder) return all_;
  const merged = sortColumns.map((_, at) => sql.raw(`o${at}${inOrder.descending ? " DESC" : ""}`));
  return sql`${all_} ORDER BY ${sql.join(merged, sql`, `)}${sql.raw(limit)}`;
}

/** FROM item of rows `t` by their keys in a subquery of `entryKeys`' form: each row is then read by its primary key. */
export function rowsByKeys(ref: OutboxRef, keys: SQL, name = "k"): SQL {
  const { table, rows, column } = outboxTable(ref.mapping);
  const same = ref.mapping.primaryKey.map((one, at) => sql`${column(one)} = ${sql.raw(`${name}.k${at}`)}`);
  return sql`(${keys}) ${sql.raw(name)} STRAIGHT_JOIN ${table} ${rows} ON ${sql.join(same, sql` AND `)}`;
}

/**
 * FROM item of the rows `t` of one read: the whole table, or at most a budget of index entries, in this order if the
 * index has it.
 */
export function entriesOf(
  ref: OutboxRef,
  reading: Reading,
  { order = null, budget = READ_BUDGET }: { order?: Order | null; budget?: number } = {},
): SQL {
  const { table, rows } = outboxTable(ref.mapping);
  if (reading.kind !== "index") return sql`${table} ${rows}`;
  return rowsByKeys(ref, entryKeys(ref, searchesOf(reading), { order, budget }));
}

export function searchesOf({ access }: Extract<Reading, { kind: "index" }>): Search[] {
  const { index, ordered } = access;
  return access.pieces.map(({ where }) => ({ index, where, ordered }));
}

/** Reads an index that holds other rows too from its new end: dead rows are older than waiting ones. */
export function entryOrder(reading: Reading, order: Order): Order {
  return reading.kind === "index" && !reading.access.exact ? { ...order, descending: !order.descending } : order;
}

/** True if there are more entries than the budget. */
export function moreThan(ref: OutboxRef, reading: Extract<Reading, { kind: "index" }>, budget: number): SQL {
  const keys = entryKeys(ref, searchesOf(reading), { order: null, budget: budget + 1 });
  return sql`SELECT COUNT(*) > ${budget} FROM (${keys}) k`;
}

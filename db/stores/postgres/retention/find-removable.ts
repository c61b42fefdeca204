import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { orderBy } from "#db/stores/shared/read/keyset.ts";
import type { FoundRows, Search } from "#db/stores/shared/retention/walk.ts";
import { queryOn } from "../connection/query-on.ts";
import { afterCursor, cursorOf } from "../tables/keyset.ts";
import { messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { isOlder, isRemovable, pinOf } from "./removable.ts";

/** Rows looked at for each row asked for, where the order is not that of the age. */
const WINDOW = 5;
/** Headers of a row and its entries in indexes, about. */
const ROW_BYTES = 100;

interface Candidate extends Record<string, unknown> {
  id: string;
  pin: string | null;
  bytes: number;
  cursor: string[];
}

/**
 * The oldest removable rows behind `after`, locked. Skips rows that another session holds. The lock makes
 * Postgres check the newest version of each row, so one that became unpublished meanwhile is not among them.
 */
export async function findRemovable(client: PoolClient, ref: OutboxRef, search: Search): Promise<FoundRows> {
  const { rule, age, walk, limit } = search;
  const window = walk.windowed ? await windowOf(client, ref, search) : { until: null, last: false };
  const { rows } = outboxTable(ref.mapping);
  const behind = await slotAge(client, rule.reader);
  const conditions = [isRemovable(ref, rule, age), ...rangeOf(search, window.until)];
  const { table } = outboxTable(ref.mapping);
  const found = await queryOn(client).execute<Candidate>(
    sql`SELECT ${messageId(outboxTable(ref.mapping))} AS id, ${pinOf(ref, rule, behind)} AS pin, ${bytesOf(ref)} AS bytes, ${cursorOf(walk)} AS cursor
     FROM ${table} ${rows} WHERE ${sql.join(conditions, sql` AND `)}
     ORDER BY ${sql.join(orderBy(walk), sql`, `)} LIMIT ${limit} FOR UPDATE OF ${rows} SKIP LOCKED`,
  );
  const whole = found.rows.length >= limit;
  return {
    ...sorted(found.rows),
    next: whole ? (found.rows.at(-1)?.cursor ?? null) : window.last ? null : window.until,
  };
}

export function bytesOf({ mapping }: OutboxRef): SQL<number> {
  const { column } = outboxTable(mapping);
  const { payload, headers } = mapping.columns;
  const head = headers ? sql` + coalesce(pg_column_size(${column(headers)}), 0)` : sql``;
  return sql<number>`(coalesce(pg_column_size(${column(payload)}), 0)${head} + ${sql.raw(String(ROW_BYTES))})`;
}

function rangeOf({ walk, after }: Search, until: string[] | null): SQL[] {
  return [...(after ? [afterCursor(walk, after)] : []), ...(until ? [sql`NOT ${afterCursor(walk, until)}`] : [])];
}

/** The end of the next rows in the walk's order; `last` where no row of the window, or behind it, is old. */
async function windowOf(client: PoolClient, ref: OutboxRef, { rule, age, walk, limit, after }: Search) {
  const { table, rows } = outboxTable(ref.mapping);
  const { createdAt } = ref.mapping.columns;
  const old = isOlder(ref.mapping, createdAt?.time ? createdAt : age.column, rule.keepSeconds);
  const size = limit * WINDOW;
  const inner = sql`SELECT ${cursorOf(walk)} AS cursor, coalesce(${old}, true) AS old FROM ${table} ${rows}
    ${after ? sql`WHERE ${afterCursor(walk, after)}` : sql``} ORDER BY ${sql.join(orderBy(walk), sql`, `)} LIMIT ${size}`;
  const { rows: found } = await queryOn(client).execute<{ cursor: string[]; old: boolean }>(inner);
  const until = found.at(-1)?.cursor ?? null;
  return { until, last: found.length < size || found.every((row) => !row.old) };
}

function sorted(rows: readonly Candidate[]): Omit<FoundRows, "next"> {
  const free = rows.filter(({ pin }) => pin === null);
  const pins = rows.flatMap(({ pin }) => (pin === null ? [] : [pin]));
  const kept = [...new Set(pins)].map((reason) => ({ reason, rows: pins.filter((pin) => pin === reason).length }));
  return { ids: free.map(({ id }) => id), bytes: free.reduce((sum, { bytes }) => sum + bytes, 0), kept };
}

/**
 * Age of the oldest transaction that the relay's slot has yet to pass. A lost or missing slot delivers nothing more.
 */
export async function slotAge(client: PoolClient, reader: string | null): Promise<number | null> {
  if (reader === null) return null;
  const { rows } = await client.query<{ behind: number | null }>(
    "SELECT age(catalog_xmin) AS behind FROM pg_replication_slots WHERE slot_name = $1 AND wal_status IS DISTINCT FROM 'lost'",
    [reader],
  );
  return rows[0]?.behind ?? null;
}

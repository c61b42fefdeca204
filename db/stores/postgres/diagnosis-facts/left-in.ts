import { notExists, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { TableName } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ScanRefused } from "#db/stores/port/scan-refused.ts";
import { all } from "#db/stores/shared/states/conditions.ts";
import { unsent } from "#db/stores/shared/states/state-predicates.ts";
import type { LeftBehind } from "#domain/diagnosis/facts/table.ts";
import { isSchemaError } from "../connection/database-error.ts";
import { queryOn } from "../connection/query-on.ts";
import { partBases } from "../plans/table-access.ts";
import { readGuarded } from "../read/read-entries.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { requireReading } from "./require-reading.ts";

/** More messages are reported as "at least". */
const COUNTED = 10_000;

const TABLE_SQL = `SELECT n.nspname AS schema, c.relname AS name, has_table_privilege(c.oid, 'SELECT') AS readable
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = $1::oid AND c.relkind IN ('r', 'p')`;

/** What is left in a table that was the outbox's, or a partition of it. Null if it was dropped. */
export async function leftIn(
  client: PoolClient,
  ref: OutboxRef,
  { oid, how }: { oid: string; how: LeftBehind["how"] },
): Promise<LeftBehind | null> {
  const { mapping } = ref;
  const [found] = (await client.query<TableName & { readable: boolean }>(TABLE_SQL, [oid])).rows;
  if (!found) return null;
  const { schema, name, readable } = found;
  const messages = readable ? await countLeft(client, ref, { schema, name }).catch(asUnknown) : null;
  return {
    how,
    table: `${mapping.table.schema}.${mapping.table.name}`,
    earlier: `${schema}.${name}`,
    messages,
    capped: messages === COUNTED,
    maybePublished: mapping.lifecycle.kind === "delete",
  };
}

/**
 * Unsent rows of the table that the outbox's does not have. Index: the recommended one of waiting messages, and primary
 * keys.
 */
async function countLeft(client: PoolClient, ref: OutboxRef, table: TableName): Promise<number> {
  const db = queryOn(client);
  const earlier = { ...ref, mapping: { ...ref.mapping, table } };
  const [left, now] = [outboxTable(earlier.mapping, "o"), outboxTable(ref.mapping, "n")];
  const reading = await requireReading(client, earlier, partBases(earlier, "waiting"));
  const same = all(...ref.mapping.primaryKey.map((column) => sql`${now.column(column)} = ${left.column(column)}`));
  const one = { found: sql`1`.as("found") };
  const moved = db.select(one).from(now.rows).where(same);
  const looked = db
    .select(one)
    .from(left.rows)
    .where(all(unsent(left), notExists(moved)))
    .limit(COUNTED)
    .as("looked");
  const count = db.select({ messages: sql<number>`count(*)::int` }).from(looked);
  const [row] = await readGuarded(client, reading, () => count);
  return row?.messages ?? 0;
}

/** Without an index, and with other columns, nothing is known. */
function asUnknown(error: unknown): null {
  if (error instanceof ScanRefused || isSchemaError(error)) return null;
  throw error;
}

import type { Pool, PoolClient } from "pg";
import { instantText } from "../stores/postgres/tables/mapping-sql.ts";
import { storableJson } from "./storable-json.ts";

export interface TableKey {
  kind: "outbox" | "inbox";
  store: string;
  schema: string;
  table: string;
}

export interface KnownTableRow extends TableKey {
  name: string;
  mode: string;
  configured: boolean;
  lastSeenAt: string;
  /** When its database first answered without this table; null while the table exists. */
  missingSince: string | null;
}

export interface ObservedTable extends TableKey {
  name: string;
  mode: string;
  configured: boolean;
  missing: boolean;
}

/** Every outbox and inbox that was ever seen and is not forgotten, in the order in which they were first seen. */
export async function readKnownTables(db: Pool): Promise<KnownTableRow[]> {
  const { rows } = await db.query<KnownTableRow>(
    `SELECT kind, store, table_schema AS schema, table_name AS "table", name, mode, configured,
       ${instantText("last_seen_at")} AS "lastSeenAt", ${instantText("missing_since")} AS "missingSince"
     FROM outbox_console_app.known_table ORDER BY first_seen_at, kind, store, table_schema, table_name`,
  );
  return rows;
}

/** Ordered by key, so two processes that write the same tables wait for each other instead of deadlocking. */
const OBSERVE_SQL = `
INSERT INTO outbox_console_app.known_table AS known (kind, store, table_schema, table_name, name, mode, configured, missing_since)
SELECT seen.kind, seen.store, seen.schema, seen."table", seen.name, seen.mode, seen.configured, CASE WHEN seen.missing THEN clock_timestamp() END
FROM json_to_recordset($1::json) AS seen (kind text, store text, schema text, "table" text, name text, mode text, configured boolean, missing boolean)
ORDER BY 1, 2, 3, 4
ON CONFLICT (kind, store, table_schema, table_name) DO UPDATE SET name = excluded.name, mode = excluded.mode, configured = excluded.configured,
  last_seen_at = CASE WHEN excluded.missing_since IS NULL THEN clock_timestamp() ELSE known.last_seen_at END,
  missing_since = CASE WHEN excluded.missing_since IS NULL THEN NULL ELSE coalesce(known.missing_since, excluded.missing_since) END`;

/** Stores which tables exist and which are missing; an earlier `missing_since` is kept. */
export async function observeKnownTables(db: Pool, tables: readonly ObservedTable[]): Promise<void> {
  await db.query(OBSERVE_SQL, [storableJson(tables)]);
}

/** True if it existed. */
export async function deleteKnownTable(client: PoolClient, key: TableKey): Promise<boolean> {
  const { rowCount } = await client.query(
    "DELETE FROM outbox_console_app.known_table WHERE kind = $1 AND store = $2 AND table_schema = $3 AND table_name = $4",
    [key.kind, key.store, key.schema, key.table],
  );
  return (rowCount ?? 0) > 0;
}

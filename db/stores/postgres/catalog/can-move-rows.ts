import type { Pool, PoolClient } from "pg";
import type { TableName } from "#db/stores/port/mapping.ts";
import { quoteTable } from "../tables/mapping-sql.ts";

/**
 * Clause for the capabilities page: why rows must not be moved out of the table; null if they may. Our own insert-only
 * publication is no obstacle: the relay that reads it recognises restored rows.
 */
export async function whyRowsCannotMove(
  db: Pick<Pool | PoolClient, "query">,
  table: TableName,
): Promise<string | null> {
  const result = await db.query<{ referenced: boolean; triggers: boolean; published: boolean; rules: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM pg_constraint WHERE confrelid = $1::regclass AND contype = 'f') AS referenced,
       EXISTS (SELECT 1 FROM pg_trigger WHERE (tgrelid = $1::regclass OR tgrelid IN (SELECT relid FROM pg_partition_tree($1::regclass))) AND NOT tgisinternal AND tgenabled <> 'D' AND (tgtype & 12) <> 0) AS triggers,
       EXISTS (SELECT 1 FROM pg_publication_tables p JOIN pg_namespace n ON n.nspname = p.schemaname JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = p.tablename
         JOIN pg_publication o ON o.pubname = p.pubname
         WHERE (c.oid = $1::regclass OR c.oid IN (SELECT relid FROM pg_partition_tree($1::regclass)))
           AND (o.pubname NOT LIKE 'outbox\\_console\\_%' OR o.pubdelete OR o.pubupdate)) AS published,
       EXISTS (SELECT 1 FROM pg_rules WHERE schemaname = $2 AND tablename = $3) AS rules`,
    [quoteTable(table), table.schema, table.name],
  );
  const found = result.rows[0];
  if (found?.referenced) return "another table references its rows by a foreign key";
  if (found?.triggers) return "it has triggers that run on insert or delete";
  if (found?.published) return "it is in a publication, so moving a row would be replicated as a delete";
  if (found?.rules) return "it has rewrite rules";
  return null;
}

import { and, eq, isNotNull, max, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { attemptColumns, errorOf } from "#db/stores/shared/act/decision.ts";
import type { FoundMessage } from "#db/stores/shared/read/found-message.ts";
import { queryOn } from "../connection/query-on.ts";
import { audit, operation, operationItem } from "../own-schema/schema.ts";
import { keyArrays } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { keyIs } from "./find-message.ts";

/**
 * Digest of what an operator decides on when a message fails: the row's columns that no attempt writes, its error, and
 * the last act on it, so that a decision of before that act never counts after it. Null of a message that is not in its
 * table, or without the store side.
 */
export async function readDecision(client: PoolClient, ref: OutboxRef, found: FoundMessage): Promise<string | null> {
  const { mapping, name } = ref;
  const { id } = found.row;
  const keys = keyArrays(mapping, id);
  if (!ref.storeSide || found.place !== "table" || !keys) return null;
  const db = queryOn(client);
  const { table, rows } = outboxTable(mapping);
  const acts = db
    .select({ last: max(audit.id) })
    .from(audit)
    .where(and(eq(audit.outbox, name), eq(audit.messageId, id)));
  const items = db
    .select({ last: max(operationItem.actedAt) })
    .from(operationItem)
    .innerJoin(operation, eq(operation.id, operationItem.operationId))
    .where(and(eq(operationItem.messageId, id), eq(operation.outbox, name), isNotNull(operationItem.actedAt)));
  const written = sql.param(attemptColumns(mapping));
  // JSON keeps each value's text as it is; jsonb would not.
  const kept = sql`(SELECT string_agg(key || '=' || value::text, ',' ORDER BY key) FROM json_each(row_to_json(${rows})) WHERE key <> ALL(${written}::text[]))`;
  const digests = await db.execute<{ digest: string }>(
    sql`SELECT md5(concat_ws('|', ${kept}, ${errorOf(found.row)}::text, (${acts})::text, (${items})::text)) AS digest
      FROM ${table} AS ${rows} WHERE ${keyIs(mapping, keys)}`,
  );
  return digests.rows[0]?.digest ?? null;
}

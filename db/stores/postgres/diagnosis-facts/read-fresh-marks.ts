import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ScanRefused } from "#db/stores/port/scan-refused.ts";
import type { FreshMarks } from "#domain/diagnosis/facts/connector.ts";
import { instantExpression, instantText } from "../tables/mapping-sql.ts";
import { recentRows } from "../tables/recent-rows.ts";

const MOST = 1000;
/** The change-over writes its audit row after the marks that it sets itself, in the same transaction. */
const CHANGE_OVER_SQL = `
SELECT 1 FROM outbox_console.audit
WHERE outbox = $1 AND action = 'relay.change_over' AND at > clock_timestamp() - interval '70 s' LIMIT 1`;

/**
 * Rows marked as published within the last minute. Null without a column of that time, and for a minute after a
 * change-over, which marks rows itself. Index: on the publication time; without one, reads the tail of the table.
 * Throws ScanRefused if neither is possible.
 */
export async function readFreshMarks(client: PoolClient, { name, mapping, storeSide }: OutboxRef) {
  const column = mapping.columns.publishedAt;
  if (!column?.time) return null;
  if (storeSide && (await client.query(CHANGE_OVER_SQL, [name])).rowCount !== 0) return null;
  const ask = async (text: string) => (await client.query<(string | null)[]>({ text, rowMode: "array" })).rows;
  const recent = await recentRows(mapping, ask, { column, interval: "interval '1 minute'" });
  if (recent === null) throw new ScanRefused(`No index on ${column.name} finds rows that were marked lately.`);
  const { rows } = await client.query<{ messages: number; lastAt: string | null }>(
    `SELECT count(*)::int AS messages, ${instantText("max(at)")} AS "lastAt"
     FROM (SELECT ${instantExpression(column, "o")} AS at ${recent} LIMIT ${MOST}) AS fresh`,
  );
  const { messages = 0, lastAt = null } = rows[0] ?? {};
  return { messages, capped: messages === MOST, column: column.name, lastAt } satisfies FreshMarks;
}

import { textArray } from "../connection/text-array.ts";
import { claimable } from "../relay/claim/claimable.ts";
import { notIsolatedSql } from "../relay/claim/not-isolated.ts";
import { pausedTypes, typeGoesSql } from "../relay/claim/pause-filter.ts";
import { scheduledSql } from "../relay/read-row.ts";
import { aggregateKey, messageId, orderSql, type RelayContext } from "../relay/relay-context.ts";
import { quoteTable } from "../tables/mapping-sql.ts";

/** The first rows in order that a claim would take. Index: as for the claim. Race: none; this only reads. */
export async function readUnsent(
  context: RelayContext,
  input: { limit: number; excludeAggregates: readonly string[] },
): Promise<{ id: string; scheduled: boolean }[]> {
  const { mapping, outbox, sessions } = context;
  const { availableAt, createdAt } = mapping.columns;
  const scheduled = availableAt ? `(${scheduledSql(availableAt, createdAt)})::text` : "'false'";
  const { rows } = await sessions.transaction({
    work: (session) =>
      session.query(
        "unsent",
        `SELECT ${messageId(mapping)}, ${scheduled} FROM ${quoteTable(mapping.table)} o
         WHERE ${claimable(context)} AND (cardinality($3::text[]) = 0 OR (${aggregateKey(context)} IN (SELECT unnest($3::text[]))) IS NOT TRUE)
           AND NOT EXISTS (SELECT FROM outbox_console.delivery d WHERE d.outbox = $1 AND d.message_id = ${messageId(mapping)}
             AND (d.dead_at IS NOT NULL OR d.next_attempt_at IS NOT NULL))
           AND ${notIsolatedSql(messageId(mapping))} AND ${typeGoesSql(context, 4)}
         ORDER BY ${orderSql(mapping).orderBy} LIMIT $2`,
        [outbox, input.limit, textArray(input.excludeAggregates), ...pausedTypes(context)],
      ),
  });
  return rows.map(([id, due]) => ({ id: id ?? "", scheduled: due === "true" }));
}

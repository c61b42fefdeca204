import type { PoolClient } from "pg";
import type { OutboxRef } from "../outbox/outbox-ref.ts";
import { instantText } from "../outbox/postgres/mapping-sql.ts";
import type { UnroutableType } from "./facts.ts";

/** Of each place, the newest dead messages. What is older has been looked at, or is in the same groups. */
const NEWEST = 1000;

/**
 * Event types of which messages died because nothing takes them where they are routed. Null without a store side.
 * Indexes: dead_letter_time_idx, delivery_dead_idx.
 */
export async function readUnroutable(client: PoolClient, ref: OutboxRef): Promise<UnroutableType[] | null> {
  if (!ref.storeSide) return null;
  const newest = (table: string) => `(SELECT event_type, last_error_code, last_error, fingerprint, last_failed_at
    FROM outbox_console.${table} WHERE outbox = $1 AND dead_at IS NOT NULL ORDER BY dead_at DESC LIMIT ${NEWEST})`;
  const { rows } = await client.query<UnroutableType>(
    `SELECT event_type AS "eventType", count(*)::int AS messages, (array_agg(last_error ORDER BY last_failed_at DESC))[1] AS error,
       (array_agg(fingerprint ORDER BY last_failed_at DESC))[1] AS fingerprint, ${instantText("min(last_failed_at)")} AS since
     FROM (${newest("dead_letter")} UNION ALL ${newest("delivery")}) dead
     WHERE last_error_code = 'unroutable' GROUP BY event_type ORDER BY 2 DESC LIMIT 10`,
    [ref.name],
  );
  return rows;
}

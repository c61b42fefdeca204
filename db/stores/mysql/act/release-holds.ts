import { and, eq, sql } from "drizzle-orm";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { Session } from "../connection/session.ts";
import { isAmong } from "../tables/column-values.ts";

/**
 * Ends the holds on aggregates once an operator has dealt with their dead messages. Returns the messages behind which
 * an aggregate was held. Index: pause_message_idx; without a hold no row is locked.
 */
export async function releaseHolds(
  session: Session,
  ref: OutboxRef,
  messageIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { pause } = session.own;
  const those = sql`${and(eq(pause.outbox, ref.name), isAmong(pause.messageId, messageIds))}`;
  const rows = await session.rows(sql`SELECT DISTINCT ${pause.messageId} FROM ${pause} WHERE ${those}`);
  if (rows.length === 0) return new Set();
  await session.run(sql`DELETE FROM ${pause} WHERE ${those}`);
  return new Set(rows.map(([id]) => id ?? ""));
}

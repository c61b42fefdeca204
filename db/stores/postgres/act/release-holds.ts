import { and, eq, inArray } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { queryOn } from "../connection/query-on.ts";
import { pause } from "../own-schema/schema.ts";

/**
 * Ends the holds on aggregates once an operator has dealt with their dead messages. True if there was one. Index:
 * pause_message_idx.
 */
export async function releaseHolds(client: PoolClient, ref: OutboxRef, messageIds: string[]): Promise<boolean> {
  const { rowCount } = await queryOn(client)
    .delete(pause)
    .where(and(eq(pause.outbox, ref.name), inArray(pause.messageId, messageIds)));
  return (rowCount ?? 0) > 0;
}

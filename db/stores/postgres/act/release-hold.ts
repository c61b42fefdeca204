import { and, eq } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { queryOn } from "../connection/query-on.ts";
import { pause } from "../own-schema/schema.ts";

/**
 * Ends the hold on an aggregate once an operator has dealt with its dead message. True if there was one. Index:
 * pause_message_idx.
 */
export async function releaseHold(client: PoolClient, ref: OutboxRef, messageId: string): Promise<boolean> {
  const { rowCount } = await queryOn(client)
    .delete(pause)
    .where(and(eq(pause.outbox, ref.name), eq(pause.messageId, messageId)));
  return (rowCount ?? 0) > 0;
}

import { and, eq, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { queryOn } from "../connection/query-on.ts";
import { claim } from "../own-schema/schema.ts";

/**
 * Removes a message from claims whose relay's term is over. Such a relay may still settle: a failure that it reports
 * after the operator's action must not make a dead message failed again. Index: claim_outbox_idx.
 */
export async function leaveClaims(client: PoolClient, ref: OutboxRef, messageId: string): Promise<void> {
  await queryOn(client)
    .update(claim)
    .set({ messageIds: sql`array_remove(${claim.messageIds}, ${messageId})` })
    .where(and(eq(claim.outbox, ref.name), sql`${messageId} = ANY(${claim.messageIds})`));
}

import { and, eq, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { queryOn } from "../connection/query-on.ts";
import { claim } from "../own-schema/schema.ts";

/**
 * Removes messages from claims whose relay's term is over. Such a relay may still settle: a failure that it reports
 * after the operator's action must not make a dead message failed again. Index: claim_outbox_idx.
 */
export async function leaveClaims(client: PoolClient, ref: OutboxRef, messageIds: readonly string[]): Promise<void> {
  const ids = sql`${sql.param(messageIds)}::text[]`;
  await queryOn(client)
    .update(claim)
    .set({ messageIds: sql`ARRAY(SELECT id FROM unnest(${claim.messageIds}) AS id WHERE id <> ALL(${ids}))` })
    .where(and(eq(claim.outbox, ref.name), sql`${claim.messageIds} && ${ids}`));
}

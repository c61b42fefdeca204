import { and, eq, sql } from "drizzle-orm";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { Session } from "../connection/session.ts";

/**
 * Removes a message from claims whose relay's term is over. Such a relay may still settle: a failure that it reports
 * after the operator's action must not make a dead message failed again. Index: claim_outbox_idx. Race: a settle that
 * shrinks the same claim. The ids are read again under the row's lock; no claim is made meanwhile, because the caller
 * holds the outbox's lock.
 */
export async function leaveClaims(session: Session, ref: OutboxRef, messageId: string): Promise<void> {
  const { db } = session;
  const { claim } = session.own;
  const holds = sql`JSON_CONTAINS(${claim.messageIds}, ${JSON.stringify(messageId)})`;
  const claims = await db
    .select({ token: claim.token })
    .from(claim)
    .where(and(eq(claim.outbox, ref.name), holds));
  for (const { token } of claims) {
    const ofClaim = eq(claim.token, token);
    const [row] = await db.select({ messageIds: claim.messageIds }).from(claim).where(ofClaim).for("update");
    if (!row) continue;
    const messageIds = row.messageIds.filter((id) => id !== messageId);
    await session.run(db.update(claim).set({ messageIds }).where(ofClaim));
  }
}

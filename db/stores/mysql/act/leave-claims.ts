import { eq, sql } from "drizzle-orm";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { Session } from "../connection/session.ts";
import { ID_BYTES } from "../own-schema/column-types.ts";
import { isAmong } from "../tables/column-values.ts";

/**
 * Removes messages from claims whose relay's term is over. Such a relay may still settle: a failure that it reports
 * after the operator's action must not make a dead message failed again. Index: claim_outbox_idx. Race: a settle that
 * shrinks the same claim. The ids are read again under the row's lock; no claim of these messages is made meanwhile,
 * because the caller holds the outbox's lock, or the messages are dead.
 */
export async function leaveClaims(session: Session, ref: OutboxRef, messageIds: readonly string[]): Promise<void> {
  const { db } = session;
  const { claim } = session.own;
  const ids = sql.raw(`'$[*]' COLUMNS (id VARBINARY(${ID_BYTES}) PATH '$')`);
  const claims = await session.rows(
    sql`SELECT DISTINCT ${claim.token} FROM ${claim} JOIN JSON_TABLE(${claim.messageIds}, ${ids}) j
      WHERE ${claim.outbox} = ${ref.name} AND ${isAmong(sql`j.id`, messageIds)}`,
  );
  const left = new Set(messageIds);
  for (const [token] of claims) {
    const ofClaim = eq(claim.token, token ?? "");
    const [row] = await db.select({ messageIds: claim.messageIds }).from(claim).where(ofClaim).for("update");
    if (!row) continue;
    const kept = row.messageIds.filter((id) => !left.has(id));
    await session.run(db.update(claim).set({ messageIds: kept }).where(ofClaim));
  }
}

import { and, eq } from "drizzle-orm";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { Session } from "../connection/session.ts";

/**
 * Ends the hold on an aggregate once an operator has dealt with its dead message. True if there was one. Index:
 * pause_message_idx.
 */
export async function releaseHold(session: Session, ref: OutboxRef, messageId: string): Promise<boolean> {
  const { pause } = session.own;
  const ended = session.db.delete(pause).where(and(eq(pause.outbox, ref.name), eq(pause.messageId, messageId)));
  return (await session.run(ended)).affectedRows > 0;
}

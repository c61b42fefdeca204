import { and, eq } from "drizzle-orm";
import { CORRECT, copyIdOf } from "#domain/correction.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { Session } from "../connection/session.ts";

/** Id of the corrected copy that was sent of the message; null if none was. Index: audit_message_idx. */
export async function correctedCopyOf(
  { db, own: { audit } }: Session,
  { name }: OutboxRef,
  id: string,
): Promise<string | null> {
  const rows = await db
    .select({ action: audit.action, detail: audit.detail })
    .from(audit)
    .where(and(eq(audit.outbox, name), eq(audit.messageId, id), eq(audit.action, CORRECT)))
    .limit(1);
  return rows.length === 0 ? null : (copyIdOf(rows) ?? "unknown");
}

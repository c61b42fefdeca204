import { and, eq, inArray } from "drizzle-orm";
import { CORRECT, copyIdOf } from "#domain/message/correction.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { Session } from "../connection/session.ts";

/** Of these messages, those that were corrected, each with its copy's id. Index: audit_message_idx. */
export async function correctedAmong(
  { db, own: { audit } }: Session,
  { name }: OutboxRef,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { messageId, action, detail } = audit;
  const rows = await db
    .select({ messageId, action, detail })
    .from(audit)
    .where(and(eq(audit.outbox, name), inArray(messageId, [...ids]), eq(action, CORRECT)));
  return new Map(rows.flatMap((row) => (row.messageId ? [[row.messageId, copyIdOf([row]) ?? "unknown"]] : [])));
}

import { and, desc, eq, sql } from "drizzle-orm";
import type { AuditFilter, AuditRow } from "../../port/audit.ts";
import type { Session } from "../connection/session.ts";
import { auditColumns } from "./audit-columns.ts";

/** Entries before `beforeId`, newest first. */
export async function listAuditRows(
  { db, own }: Session,
  input: { filter: AuditFilter; beforeId: string | null; limit: number },
): Promise<AuditRow[]> {
  const { outbox, messageId, action, actor } = input.filter;
  const { audit } = own;
  return db
    .select(auditColumns(own))
    .from(audit)
    .where(
      and(
        outbox ? eq(audit.outbox, outbox) : undefined,
        messageId ? eq(audit.messageId, messageId) : undefined,
        action ? eq(audit.action, action) : undefined,
        actor ? eq(audit.actor, actor) : undefined,
        input.beforeId ? sql`${audit.id} < CAST(${input.beforeId} AS SIGNED)` : undefined,
      ),
    )
    .orderBy(desc(audit.id))
    .limit(input.limit);
}

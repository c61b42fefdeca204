import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Pool } from "pg";
import type { AuditFilter, AuditRow } from "../../port/audit.ts";
import { queryOn } from "../connection/query-on.ts";
import { auditColumns } from "./read-history.ts";
import { audit } from "./schema.ts";

/** Entries before `beforeId`, newest first. */
export async function listAuditRows(
  db: Pool,
  input: { filter: AuditFilter; beforeId: string | null; limit: number },
): Promise<AuditRow[]> {
  const { outbox, messageId, action, actor } = input.filter;
  return queryOn(db)
    .select(auditColumns)
    .from(audit)
    .where(
      and(
        outbox ? eq(audit.outbox, outbox) : undefined,
        messageId ? eq(audit.messageId, messageId) : undefined,
        action ? eq(audit.action, action) : undefined,
        actor ? eq(audit.actor, actor) : undefined,
        input.beforeId ? lt(audit.id, sql`${input.beforeId}::bigint`) : undefined,
      ),
    )
    .orderBy(desc(audit.id))
    .limit(input.limit);
}

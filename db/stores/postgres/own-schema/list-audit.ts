import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Pool } from "pg";
import type { AuditFilter, AuditPage, AuditPlace, AuditRow } from "../../port/audit.ts";
import { queryOn } from "../connection/query-on.ts";
import { auditColumns } from "./read-history.ts";
import { audit } from "./schema.ts";

/** Entries of the page, newest first. */
export async function listAuditRows(db: Pool, { filter, before, limit }: AuditPage): Promise<AuditRow[]> {
  return queryOn(db)
    .select(auditColumns)
    .from(audit)
    .where(and(...matches(filter), before ? olderThan(before) : undefined))
    .orderBy(desc(audit.at), desc(audit.id))
    .limit(limit);
}

function matches({ outboxes, messageId, action, actor, outcome, from, to }: AuditFilter): (SQL | undefined)[] {
  return [
    outboxes ? inArray(audit.outbox, [...outboxes]) : undefined,
    messageId ? eq(audit.messageId, messageId) : undefined,
    action ? eq(audit.action, action) : undefined,
    actor ? eq(audit.actor, actor) : undefined,
    outcome ? eq(audit.outcome, outcome) : undefined,
    from ? sql`${audit.at} >= ${from}::timestamptz` : undefined,
    to ? sql`${audit.at} < ${to}::timestamptz` : undefined,
  ];
}

function olderThan({ at, id }: AuditPlace): SQL {
  return sql`(${audit.at}, ${audit.id}) < (${at}::timestamptz, ${id}::bigint)`;
}

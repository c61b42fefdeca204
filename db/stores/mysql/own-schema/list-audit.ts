import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { AuditFilter, AuditPage, AuditPlace, AuditRow } from "../../port/audit.ts";
import type { OwnTables, Session } from "../connection/session.ts";
import { instantParameter } from "../tables/column-values.ts";
import { auditColumns } from "./audit-columns.ts";

/** Entries of the page, newest first. */
export async function listAuditRows({ db, own }: Session, { filter, before, limit }: AuditPage): Promise<AuditRow[]> {
  const { audit } = own;
  return db
    .select(auditColumns(own))
    .from(audit)
    .where(and(...matches(own, filter), before ? olderThan(own, before) : undefined))
    .orderBy(desc(audit.at), desc(audit.id))
    .limit(limit);
}

function matches({ audit }: OwnTables, filter: AuditFilter): (SQL | undefined)[] {
  const { outboxes, messageId, action, actor, outcome, from, to } = filter;
  return [
    outboxes ? inArray(audit.outbox, [...outboxes]) : undefined,
    messageId ? eq(audit.messageId, messageId) : undefined,
    action ? eq(audit.action, action) : undefined,
    actor ? eq(audit.actor, actor) : undefined,
    outcome ? eq(audit.outcome, outcome) : undefined,
    from ? sql`${audit.at} >= ${instantParameter(from)}` : undefined,
    to ? sql`${audit.at} < ${instantParameter(to)}` : undefined,
  ];
}

/** The first condition bounds the index, which a comparison of two columns at once does not. */
function olderThan({ audit }: OwnTables, { at, id }: AuditPlace): SQL {
  const time = instantParameter(at);
  return sql`${audit.at} <= ${time} AND (${audit.at} < ${time} OR ${audit.id} < CAST(${id} AS SIGNED))`;
}

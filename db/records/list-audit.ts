import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Pool } from "pg";
import type { AuditFilter, AuditPage, AuditPlace, AuditRow } from "../stores/port/audit.ts";
import { queryOn } from "../stores/postgres/connection/query-on.ts";
import { instantText } from "../stores/postgres/tables/column-values.ts";
import { audit } from "./schema.ts";

const NONE = sql<null>`NULL::text`;

/** Entries of the page from the console side, newest first. Their ids begin with `c`. */
export async function listConsoleAudit(db: Pool, { filter, before, limit }: AuditPage): Promise<AuditRow[]> {
  if (filter.messageId !== undefined) return [];
  return queryOn(db)
    .select({
      id: sql<string>`'c' || ${audit.id}`,
      at: instantText(sql`${audit.at}`) as SQL<string>,
      actor: audit.actor,
      role: audit.role,
      action: audit.action,
      outbox: audit.outbox,
      inbox: audit.inbox,
      messageId: NONE,
      operationId: NONE,
      outcome: audit.outcome,
      reason: audit.reason,
      stateBefore: NONE,
      stateAfter: NONE,
      detail: audit.detail,
    })
    .from(audit)
    .where(and(...matches(filter), before ? olderThan(before) : undefined))
    .orderBy(desc(audit.at), desc(audit.id))
    .limit(limit);
}

function matches({ outboxes, action, actor, outcome, from, to }: AuditFilter): (SQL | undefined)[] {
  return [
    outboxes ? inArray(audit.outbox, [...outboxes]) : undefined,
    action ? eq(audit.action, action) : undefined,
    actor ? eq(audit.actor, actor) : undefined,
    outcome ? eq(audit.outcome, outcome) : undefined,
    from ? sql`${audit.at} >= ${from}::timestamptz` : undefined,
    to ? sql`${audit.at} < ${to}::timestamptz` : undefined,
  ];
}

function olderThan({ at, id }: AuditPlace): SQL {
  return sql`(${audit.at}, ${audit.id}) < (${at}::timestamptz, ${id.replace(/^c/, "")}::bigint)`;
}

import type { Pool } from "pg";
import type { AuditRow } from "../stores/port/audit.ts";
import { instantText } from "../stores/postgres/tables/mapping-sql.ts";

/** Audit entries of the console side before `beforeId`, newest first. Returned ids begin with `c`; `beforeId` has no prefix. */
export async function listConsoleAudit(
  db: Pool,
  input: { action: string | null; actor: string | null; beforeId: string | null; limit: number },
): Promise<AuditRow[]> {
  const { rows } = await db.query<AuditRow>(
    `SELECT 'c' || id AS id, ${instantText("at")} AS at, actor, role, action, outbox, inbox, NULL AS "messageId", NULL AS "operationId",
       outcome, reason, NULL AS "stateBefore", NULL AS "stateAfter", detail
     FROM outbox_console_app.audit
     WHERE ($1::text IS NULL OR action = $1) AND ($2::text IS NULL OR actor = $2) AND ($3::bigint IS NULL OR id < $3::bigint)
     ORDER BY outbox_console_app.audit.id DESC LIMIT $4`,
    [input.action, input.actor, input.beforeId, input.limit],
  );
  return rows;
}

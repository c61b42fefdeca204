import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { AuditRow } from "../../port/audit.ts";
import type { AttemptRow, MessageHistory } from "../../port/message-detail.ts";
import { instantText } from "../tables/mapping-sql.ts";
import { claimLivesSql } from "../tables/message-sql.ts";

export const AUDIT_COLUMNS = `id::text AS id, ${instantText("at")} AS at, actor, role, action, outbox, inbox, message_id AS "messageId",
  operation_id::text AS "operationId", outcome, reason, state_before AS "stateBefore", state_after AS "stateAfter", detail`;

export async function readHistory(client: PoolClient, ref: OutboxRef, id: string): Promise<MessageHistory> {
  if (!ref.storeSide) return { attempts: [], firstError: null, claim: null, audit: [] };
  const attempts = await client.query<AttemptRow>(
    `WITH all_ AS (SELECT *, row_number() OVER (ORDER BY id DESC) AS newest, row_number() OVER (ORDER BY id) AS oldest
       FROM outbox_console.attempt WHERE outbox = $1 AND message_id = $2)
     SELECT number, ${instantText("started_at")} AS "startedAt", duration_ms AS "durationMs", outcome, code, error, relay, sink, oldest = 1 AS first
     FROM all_ WHERE newest <= 100 OR oldest = 1 ORDER BY id DESC`,
    [ref.name, id],
  );
  const firsts = await client.query<{ error: string | null }>(
    `SELECT first_error AS error FROM outbox_console.delivery WHERE outbox = $1 AND message_id = $2
     UNION ALL SELECT first_error FROM outbox_console.dead_letter WHERE outbox = $1 AND message_id = $2
     UNION ALL SELECT first_error FROM outbox_console.archive WHERE outbox = $1 AND message_id = $2`,
    [ref.name, id],
  );
  const claims = await client.query<{ owner: string; startedAt: string; expired: boolean }>(
    `SELECT c.owner, ${instantText("c.started_at")} AS "startedAt", NOT ${claimLivesSql("c")} AS expired FROM outbox_console.claim c
     WHERE c.outbox = $1 AND $2 = ANY(c.message_ids) ORDER BY c.started_at DESC LIMIT 1`,
    [ref.name, id],
  );
  const audit = await client.query<AuditRow>(
    `SELECT ${AUDIT_COLUMNS} FROM outbox_console.audit WHERE outbox = $1 AND message_id = $2 ORDER BY id DESC LIMIT 50`,
    [ref.name, id],
  );
  return {
    attempts: attempts.rows,
    firstError: firsts.rows[0]?.error ?? null,
    claim: claims.rows[0] ?? null,
    audit: audit.rows,
  };
}

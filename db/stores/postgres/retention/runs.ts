import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import type { RetentionEnd, RetentionRun } from "#db/stores/port/retention.ts";
import { activationAudit, inboxActivationAudit } from "#db/stores/shared/retention/activation-audit.ts";
import { runsOf } from "#db/stores/shared/retention/inbox-retention.ts";
import { withWriteTransaction } from "../connection/transaction.ts";
import { writeAudit } from "../own-schema/write-audit.ts";
import { instantText } from "../tables/mapping-sql.ts";

/** Records the begin of a run. Of a rule that is new, or changed, it is audited in the same transaction. */
export function beginRun(pool: Pool, outbox: string, { subject, rule }: Begun): Promise<string> {
  return withWriteTransaction(pool, async (client) => {
    const record = activationAudit(outbox, subject, rule);
    if ((await lastActivation(client, outbox, record.reason ?? "")) !== rule) await writeAudit(client, record);
    const id = randomUUID();
    await client.query("INSERT INTO outbox_console.retention_run (id, outbox, subject, rule) VALUES ($1, $2, $3, $4)", [
      id,
      outbox,
      subject,
      rule,
    ]);
    return id;
  });
}

/** The same of an inbox, whose audit rows are found by its runs. */
export function beginInboxRun(pool: Pool, inbox: string, rule: string): Promise<string> {
  return withWriteTransaction(pool, async (client) => {
    const scope = runsOf(inbox);
    const last = await client.query<{ rule: string }>(
      "SELECT rule FROM outbox_console.retention_run WHERE outbox = $1 ORDER BY started_at DESC LIMIT 1",
      [scope],
    );
    if (last.rows[0]?.rule !== rule) await writeAudit(client, inboxActivationAudit(inbox, rule));
    const id = randomUUID();
    await client.query("INSERT INTO outbox_console.retention_run (id, outbox, subject, rule) VALUES ($1, $2, $3, $4)", [
      id,
      scope,
      `inbox ${inbox}`,
      rule,
    ]);
    return id;
  });
}

interface Begun {
  subject: string;
  rule: string;
}

/** Uses audit_message_idx. */
async function lastActivation(client: PoolClient, outbox: string, reason: string): Promise<string | null> {
  const { rows } = await client.query<{ detail: string | null }>(
    `SELECT detail FROM outbox_console.audit WHERE outbox = $1 AND message_id IS NULL AND action = 'retention.activate' AND reason = $2 ORDER BY id DESC LIMIT 1`,
    [outbox, reason],
  );
  return rows[0]?.detail ?? null;
}

/** A run that removed nothing, and ended as the one before it of the same rule, replaces that one: history is for what happened. */
export async function endRun(pool: Pool, run: string, end: RetentionEnd, detail: string | null): Promise<void> {
  await withWriteTransaction(pool, async (client) => {
    await client.query(
      'UPDATE outbox_console.retention_run SET ended_at = clock_timestamp(), "end" = $2, detail = $3 WHERE id = $1',
      [run, end, detail],
    );
    await client.query(
      `DELETE FROM outbox_console.retention_run old USING outbox_console.retention_run now
       WHERE now.id = $1 AND now.removed_rows = 0 AND old.id = (
         SELECT id FROM outbox_console.retention_run r WHERE r.outbox = now.outbox AND r.subject = now.subject AND r.id <> now.id ORDER BY started_at DESC LIMIT 1)
         AND old.rule = now.rule
         AND old.removed_rows = 0 AND old."end" IS NOT DISTINCT FROM now."end" AND old.detail IS NOT DISTINCT FROM now.detail`,
      [run],
    );
  });
}

export async function listRuns(pool: Pool, outbox: string, limit: number): Promise<RetentionRun[]> {
  const { rows } = await pool.query<RetentionRun>(
    `SELECT id, subject, rule, ${instantText("started_at")} AS "startedAt", ${instantText("ended_at")} AS "endedAt",
       removed_rows::float8 AS rows, removed_bytes::float8 AS bytes, "end", detail
     FROM outbox_console.retention_run WHERE outbox = $1 ORDER BY started_at DESC LIMIT $2`,
    [outbox, limit],
  );
  return rows;
}

import type { Pool } from "pg";
import type { AuditFilter, AuditRow } from "../../port/audit.ts";
import { Conditions } from "../tables/message-filter.ts";
import { AUDIT_COLUMNS } from "./read-history.ts";

/** Entries before `beforeId`, newest first. */
export async function listAuditRows(
  db: Pool,
  input: { filter: AuditFilter; beforeId: string | null; limit: number },
): Promise<AuditRow[]> {
  const conditions = new Conditions([]);
  const { filter } = input;
  if (filter.outbox) conditions.add(`outbox = ${conditions.parameter(filter.outbox)}`);
  if (filter.messageId) conditions.add(`message_id = ${conditions.parameter(filter.messageId)}`);
  if (filter.action) conditions.add(`action = ${conditions.parameter(filter.action)}`);
  if (filter.actor) conditions.add(`actor = ${conditions.parameter(filter.actor)}`);
  if (input.beforeId) conditions.add(`id < ${conditions.parameter(input.beforeId)}::bigint`);
  const result = await db.query<AuditRow>({
    text: `SELECT ${AUDIT_COLUMNS} FROM outbox_console.audit WHERE ${conditions.where()} ORDER BY outbox_console.audit.id DESC LIMIT ${input.limit}`,
    values: conditions.values,
  });
  return result.rows;
}

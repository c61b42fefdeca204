import { and, desc, eq, getTableColumns, isNotNull, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { not } from "#db/stores/shared/states/conditions.ts";
import type { AuditRow } from "../../port/audit.ts";
import type { AttemptRow, MessageHistory } from "../../port/message-detail.ts";
import { type Database, queryOn } from "../connection/query-on.ts";
import { instantText } from "../tables/column-values.ts";
import type { Selects } from "../tables/message-columns.ts";
import { c, claimLives } from "../tables/states/message-state.ts";
import { archive, attempt, audit, deadLetter, delivery, operation, operationItem } from "./schema.ts";

export const auditColumns: Selects<AuditRow> = {
  id: sql`${audit.id}::text`,
  at: instantText(sql`${audit.at}`) as SQL<string>,
  actor: sql`${audit.actor}`,
  role: sql`${audit.role}`,
  action: sql`${audit.action}`,
  outbox: sql`${audit.outbox}`,
  inbox: sql`${audit.inbox}`,
  messageId: sql`${audit.messageId}`,
  operationId: sql`${audit.operationId}::text`,
  outcome: sql`${audit.outcome}`,
  reason: sql`${audit.reason}`,
  stateBefore: sql`${audit.stateBefore}`,
  stateAfter: sql`${audit.stateAfter}`,
  detail: sql`${audit.detail}`,
};

/** An item as the audit of its message shows it. */
const itemColumns: Selects<AuditRow> = {
  id: sql`${operationItem.operationId}::text || '/' || ${operationItem.seq}::text`,
  at: instantText(sql`${operationItem.actedAt}`) as SQL<string>,
  actor: sql`${operation.actor}`,
  role: sql`${operation.role}`,
  action: sql`'message.' || ${operation.action}`,
  outbox: sql`${operation.outbox}`,
  inbox: sql`NULL::text`,
  messageId: sql`${operationItem.messageId}`,
  operationId: sql`${operationItem.operationId}::text`,
  outcome: sql`'done'`,
  reason: sql`${operation.reason}`,
  stateBefore: sql`${operationItem.stateBefore}`,
  stateAfter: sql`NULL::text`,
  detail: sql`${operationItem.message}`,
};

const MOST_ATTEMPTS = 100;
const MOST_AUDIT_ROWS = 50;

export async function readHistory(client: PoolClient, ref: OutboxRef, id: string): Promise<MessageHistory> {
  if (!ref.storeSide) return { attempts: [], firstError: null, claim: null, audit: [] };
  const db = queryOn(client);
  return {
    attempts: await readAttempts(db, ref.name, id),
    firstError: await readFirstError(db, ref.name, id),
    claim: await readClaim(db, ref.name, id),
    audit: await readAudit(db, ref.name, id),
  };
}

/** The audit of single acts, and the items of bulk operations that acted on the message. Newest first. */
async function readAudit(db: Database, outbox: string, id: string): Promise<AuditRow[]> {
  const single = await db
    .select(auditColumns)
    .from(audit)
    .where(and(eq(audit.outbox, outbox), eq(audit.messageId, id)))
    .orderBy(desc(audit.id))
    .limit(MOST_AUDIT_ROWS);
  const items = await db
    .select(itemColumns)
    .from(operationItem)
    .innerJoin(operation, eq(operation.id, operationItem.operationId))
    .where(and(eq(operationItem.messageId, id), eq(operation.outbox, outbox), isNotNull(operationItem.actedAt)))
    .orderBy(desc(operationItem.actedAt))
    .limit(MOST_AUDIT_ROWS);
  return [...single, ...items].sort((one, other) => (one.at < other.at ? 1 : -1)).slice(0, MOST_AUDIT_ROWS);
}

async function readAttempts(db: Database, outbox: string, id: string): Promise<AttemptRow[]> {
  const numbered = db
    .select({
      ...getTableColumns(attempt),
      newest: sql<number>`row_number() OVER (ORDER BY id DESC)`.as("newest"),
      oldest: sql<number>`row_number() OVER (ORDER BY id)`.as("oldest"),
    })
    .from(attempt)
    .where(and(eq(attempt.outbox, outbox), eq(attempt.messageId, id)))
    .as("numbered");
  return db
    .select({
      number: numbered.number,
      startedAt: instantText(sql`${numbered.startedAt}`) as SQL<string>,
      durationMs: numbered.durationMs,
      outcome: sql<AttemptRow["outcome"]>`${numbered.outcome}`,
      code: numbered.code,
      error: numbered.error,
      relay: numbered.relay,
      sink: numbered.sink,
      first: sql<boolean>`oldest = 1`,
    })
    .from(numbered)
    .where(sql`newest <= ${MOST_ATTEMPTS} OR oldest = 1`)
    .orderBy(desc(numbered.id));
}

async function readFirstError(db: Database, outbox: string, id: string): Promise<string | null> {
  const of = (table: typeof delivery | typeof deadLetter | typeof archive) =>
    db
      .select({ error: sql<string | null>`${table.firstError}`.as("error") })
      .from(table as typeof delivery)
      .where(and(eq(table.outbox, outbox), eq(table.messageId, id)));
  const [row] = await unionAll(of(delivery), of(deadLetter), of(archive));
  return row?.error ?? null;
}

async function readClaim(db: Database, outbox: string, id: string): Promise<MessageHistory["claim"]> {
  const [row] = await db
    .select({
      owner: c.owner,
      startedAt: instantText(sql`${c.startedAt}`) as SQL<string>,
      expired: sql<boolean>`${not(claimLives())}`,
    })
    .from(c)
    .where(and(eq(c.outbox, outbox), sql`${id} = ANY(${c.messageIds})`))
    .orderBy(desc(c.startedAt))
    .limit(1);
  return row ?? null;
}

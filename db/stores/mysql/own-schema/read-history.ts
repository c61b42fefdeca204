import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/mysql-core";
import { not } from "#db/stores/shared/states/conditions.ts";
import type { AttemptRow, MessageHistory } from "../../port/message-detail.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { Session } from "../connection/session.ts";
import { asFlag } from "../tables/column-values.ts";
import { c, claimLives, claimOf } from "../tables/states/message-state.ts";
import { auditColumns } from "./audit-columns.ts";

const MOST_ATTEMPTS = 100;
const MOST_AUDIT_ROWS = 50;

export async function readHistory(session: Session, ref: OutboxRef, id: string): Promise<MessageHistory> {
  if (!ref.storeSide) return { attempts: [], firstError: null, claim: null, audit: [] };
  const { db, own } = session;
  return {
    attempts: await readAttempts(session, ref.name, id),
    firstError: await readFirstError(session, ref.name, id),
    claim: await readClaim(session, ref.name, id),
    audit: await db
      .select(auditColumns(own))
      .from(own.audit)
      .where(and(eq(own.audit.outbox, ref.name), eq(own.audit.messageId, id)))
      .orderBy(desc(own.audit.id))
      .limit(MOST_AUDIT_ROWS),
  };
}

/**
 * The newest ones and the first: two reads from the ends of attempt_message_idx, and no temporary table for the texts.
 */
async function readAttempts({ db, own: { attempt } }: Session, outbox: string, id: string): Promise<AttemptRow[]> {
  const { id: serial, outbox: _, messageId, ...shown } = getTableColumns(attempt);
  const ofMessage = and(eq(attempt.outbox, outbox), eq(messageId, id));
  const read = () =>
    db
      .select({ serial, ...shown })
      .from(attempt)
      .where(ofMessage)
      .$dynamic();
  const newest = await read().orderBy(desc(serial)).limit(MOST_ATTEMPTS);
  const [first] = newest.length < MOST_ATTEMPTS ? newest.slice(-1) : await read().orderBy(serial).limit(1);
  const rows = first && first.serial !== newest.at(-1)?.serial ? [...newest, first] : newest;
  return rows.map(({ serial: of, outcome, ...row }) => ({
    ...row,
    outcome: outcome as AttemptRow["outcome"],
    first: of === first?.serial,
  }));
}

async function readFirstError({ db, own }: Session, outbox: string, id: string): Promise<string | null> {
  const of = (table: typeof own.delivery | typeof own.deadLetter | typeof own.archive) =>
    db
      .select({ error: sql<string | null>`${table.firstError}`.as("error") })
      .from(table as typeof own.delivery)
      .where(and(eq(table.outbox, outbox), eq(table.messageId, id)));
  const [row] = await unionAll(of(own.delivery), of(own.deadLetter), of(own.archive));
  return row?.error ?? null;
}

async function readClaim({ db, own }: Session, outbox: string, id: string): Promise<MessageHistory["claim"]> {
  const [row] = await db
    .select({ owner: c.owner, startedAt: c.startedAt, expired: asFlag(not(claimLives(own))) })
    .from(claimOf(own))
    .where(and(eq(c.outbox, outbox), sql`JSON_CONTAINS(${c.messageIds}, JSON_QUOTE(${id}))`))
    .orderBy(desc(c.startedAt))
    .limit(1);
  return row ?? null;
}

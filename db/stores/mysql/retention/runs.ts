import { randomUUID } from "node:crypto";
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import type { RetentionEnd, RetentionRun } from "#db/stores/port/retention.ts";
import { activationAudit, inboxActivationAudit } from "#db/stores/shared/retention/activation-audit.ts";
import { runsOf } from "#db/stores/shared/retention/inbox-retention.ts";
import type { Pool } from "../connection/pool.ts";
import type { Session } from "../connection/session.ts";
import { withWriteTransaction } from "../connection/transaction.ts";
import { writeAudit } from "../own-schema/write-audit.ts";
import { NOW } from "../tables/column-values.ts";

/** Records the begin of a run. Of a rule that is new, or changed, it is audited in the same transaction. */
export function beginRun(pool: Pool, outbox: string, run: { subject: string; rule: string }): Promise<string> {
  return withWriteTransaction(pool, async (session) => {
    const record = activationAudit(outbox, run.subject, run.rule);
    if ((await lastActivation(session, outbox, record.reason ?? "")) !== run.rule) await writeAudit(session, record);
    const id = randomUUID();
    await session.run(
      session.db
        .insert(session.own.retentionRun)
        .values({ id, outbox, ...run, startedAt: NOW, removedRows: 0, removedBytes: 0 }),
    );
    return id;
  });
}

/** The same for an inbox, whose audit rows are found by its runs. */
export function beginInboxRun(pool: Pool, inbox: string, rule: string): Promise<string> {
  return withWriteTransaction(pool, async (session) => {
    const { retentionRun: runs } = session.own;
    const outbox = runsOf(inbox);
    const [last] = await session.db
      .select({ rule: runs.rule })
      .from(runs)
      .where(eq(runs.outbox, outbox))
      .orderBy(desc(runs.startedAt))
      .limit(1);
    if (last?.rule !== rule) await writeAudit(session, inboxActivationAudit(inbox, rule));
    const id = randomUUID();
    const run = { id, outbox, subject: `inbox ${inbox}`, rule, startedAt: NOW, removedRows: 0, removedBytes: 0 };
    await session.run(session.db.insert(runs).values(run));
    return id;
  });
}

/** Uses audit_message_idx. */
async function lastActivation({ db, own }: Session, outbox: string, reason: string): Promise<string | null> {
  const { audit } = own;
  const [row] = await db
    .select({ detail: audit.detail })
    .from(audit)
    .where(
      and(
        eq(audit.outbox, outbox),
        isNull(audit.messageId),
        eq(audit.action, "retention.activate"),
        eq(audit.reason, reason),
      ),
    )
    .orderBy(desc(audit.id))
    .limit(1);
  return row?.detail ?? null;
}

/**
 * A run that removed nothing and ended like the one before of the same rule replaces it, so that the history shows only real changes.
 */
export function endRun(pool: Pool, run: string, end: RetentionEnd, detail: string | null): Promise<void> {
  return withWriteTransaction(pool, async (session) => {
    const { retentionRun: runs } = session.own;
    await session.run(session.db.update(runs).set({ endedAt: NOW, end, detail }).where(eq(runs.id, run)));
    const [now] = await session.db.select().from(runs).where(eq(runs.id, run));
    if (!now || now.removedRows > 0) return;
    const [old] = await session.db
      .select()
      .from(runs)
      .where(and(eq(runs.outbox, now.outbox), eq(runs.subject, now.subject), sql`${runs.id} <> ${run}`))
      .orderBy(desc(runs.startedAt))
      .limit(1);
    if (old && old.removedRows === 0 && old.rule === now.rule && old.end === now.end && old.detail === now.detail)
      await session.run(session.db.delete(runs).where(eq(runs.id, old.id)));
  });
}

export async function listRuns({ db, own }: Session, outbox: string, limit: number): Promise<RetentionRun[]> {
  const { retentionRun: runs } = own;
  const rows = await db.select().from(runs).where(eq(runs.outbox, outbox)).orderBy(desc(runs.startedAt)).limit(limit);
  return rows.map(({ outbox: _, removedRows, removedBytes, end, ...run }) => ({
    ...run,
    rows: removedRows,
    bytes: removedBytes,
    end: end as RetentionEnd | null,
  }));
}

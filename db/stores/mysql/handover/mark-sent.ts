import { AppError } from "#domain/errors.ts";
import type { MarkRequest } from "../../port/handover.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { requireAcceptedTable } from "../act/require-accepted-table.ts";
import type { Pool } from "../connection/pool.ts";
import type { Session } from "../connection/session.ts";
import { withWriteTransaction } from "../connection/transaction.ts";
import { afterDeadlock } from "../own-schema/after-deadlock.ts";
import { readPauseRow } from "../own-schema/pauses.ts";
import { writeAudit } from "../own-schema/write-audit.ts";
import { hasId, textList } from "../relay/literals.ts";
import { ownName } from "../relay/relay-context.ts";
import { isUpdate, MARK_IGNORED, type MarkContext, markStatement } from "../relay/settle/mark-published.ts";
import { readTableFacts } from "../relay/table-facts.ts";
import { quoteLiteral } from "../tables/mapping-sql.ts";
import { lockOutbox } from "../tables/outbox-lock.ts";
import { requireTransactions } from "../tables/require-transactions.ts";
import { requireZones } from "../tables/zones.ts";

/** Marks messages that are known to be published, as a settle does. See OutboxHandover.mark. */
export function markSent(pool: Pool, ref: OutboxRef, request: MarkRequest): Promise<number> {
  return afterDeadlock(() => markOnce(pool, ref, request));
}

function markOnce(pool: Pool, ref: OutboxRef, request: MarkRequest): Promise<number> {
  const { ids, actor, action, reason, detail } = request;
  return withWriteTransaction(pool, async (session) => {
    await requireZones(session, ref.mapping);
    await requireTransactions(session, ref.mapping.table);
    const facts = await readTableFacts(session, ref.mapping);
    // No claim can begin until the commit, and a pause that is there now holds until then.
    await lockOutbox(session, ref.name, "exclusive");
    await requirePause(session, ref.name);
    await requireAcceptedTable(session, ref);
    const context = { mapping: ref.mapping, facts, mark: "column" as const };
    const marked = ids.length === 0 ? 0 : await markKept(session, context, hasId(ref.mapping, ids));
    await forget(session, ref, ids);
    await writeAudit(session, { actor, action, outbox: ref.name, outcome: "done", reason, detail });
    return marked;
  });
}

/**
 * Throws if the database accepts the mark and leaves a row as it was, as a trigger may do: the relay would send it
 * again.
 */
async function markKept(session: Session, context: MarkContext, rows: string): Promise<number> {
  const { affectedRows, changedRows } = await session.run(markStatement(context, rows));
  if (isUpdate(context) && changedRows < affectedRows) throw new AppError("wrong_state", MARK_IGNORED);
  return affectedRows;
}

async function requirePause(session: Session, outbox: string): Promise<void> {
  if ((await readPauseRow(session, outbox)) !== null) return;
  throw new AppError(
    "wrong_state",
    `The pause of outbox ${outbox} was ended, so its relay may publish: nothing is marked.`,
  );
}

/** Deletes our records of unsent messages. Indexes: primary keys of delivery and suspect; claim_outbox_idx. */
async function forget(session: Session, { name }: OutboxRef, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { own } = session;
  await leaveClaims(session, name, new Set(ids));
  const ofOutbox = `outbox = ${quoteLiteral(name)}`;
  for (const table of [own.delivery, own.suspect])
    await session.run(`DELETE FROM ${ownName(table)} WHERE ${ofOutbox} AND message_id IN ${textList(ids)}`);
}

/** Dead relays left these claims: a late settle must not find the messages in them. */
async function leaveClaims(session: Session, outbox: string, ids: ReadonlySet<string>): Promise<void> {
  const claim = ownName(session.own.claim);
  const claims = await session.rows(
    `SELECT token, message_ids FROM ${claim} WHERE outbox = ${quoteLiteral(outbox)} FOR UPDATE`,
  );
  for (const [token, text] of claims) {
    const held = JSON.parse(text ?? "[]") as string[];
    const left = held.filter((id) => !ids.has(id));
    if (left.length < held.length)
      await session.run(`UPDATE ${claim} SET message_ids = ? WHERE token = ?`, [JSON.stringify(left), token]);
  }
}

import { and, eq, type SQL, sql } from "drizzle-orm";
import { DEAD_LETTER_COLUMNS, FAILURES } from "#db/stores/shared/act/moved-columns.ts";
import type { FoundMessage } from "#db/stores/shared/read/found-message.ts";
import { AppError } from "#domain/errors.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { VerbRequest } from "../../port/verb.ts";
import { ARCHIVED, ARCHIVED_DEAD_LETTER } from "../../shared/act/act-sentences.ts";
import { requireMoved } from "../../shared/act/require-moved.ts";
import type { Session } from "../connection/session.ts";
import { keyIs } from "../read/find-message.ts";
import { isAmong, NOW } from "../tables/column-values.ts";
import { columnsOf, insertSelect } from "../tables/insert-select.ts";
import { keyArrays } from "../tables/message-key.ts";
import { outboxTable, tableNamed } from "../tables/outbox-table.ts";
import { readRowImage, summaryOfRow } from "../tables/row-image.ts";
import { deliveryOf } from "../tables/states/message-state.ts";
import { copyRow } from "./copy-row.ts";
import type { Verb } from "./verb.ts";
import { whyRowCannotMove } from "./why-row-cannot-move.ts";

/**
 * Moves a message out of the outbox: into the team's own archive table if the shape has one, otherwise into ours as an
 * exact image. Our archive gets an entry either way, so the message can be listed and restored.
 */
export const archiveMessage: Verb = async (session, ref, found, request) => {
  if (found.place === "dead_letter") {
    await archiveDeadLetters(session, ref, [found], request);
    return ARCHIVED_DEAD_LETTER;
  }
  const keys = keyArrays(ref.mapping, found.row.id) ?? [];
  const reason = await whyRowCannotMove(session, ref.mapping, keys);
  if (reason !== null) throw new AppError("wrong_state", `This message cannot be archived: ${reason}.`);
  await archiveRow(session, ref, { found, request, byKey: keyIs(ref.mapping, keys) });
  return ref.mapping.archiveTable ? `Moved to ${ref.mapping.archiveTable.name}.` : ARCHIVED;
};

/** Who archived the message, when and why. */
function byOperator({ actor, reason }: VerbRequest) {
  return { archivedAt: NOW, archivedBy: sql`${actor.name}`, reason: sql`${reason}` };
}

/** Moves dead letters into the archive. */
export async function archiveDeadLetters(
  session: Session,
  ref: OutboxRef,
  found: readonly FoundMessage[],
  request: VerbRequest,
): Promise<void> {
  const { archive, deadLetter } = session.own;
  const ids = found.map(({ row }) => row.id);
  const those = sql`${and(eq(deadLetter.outbox, ref.name), isAmong(deadLetter.messageId, ids))}`;
  const values = {
    ...columnsOf(deadLetter, DEAD_LETTER_COLUMNS),
    stateBefore: sql`'dead'`,
    ...byOperator(request),
  };
  const copied = await session.run(insertSelect(archive, values, sql`FROM ${deadLetter} WHERE ${those} FOR UPDATE`));
  requireMoved(copied.affectedRows, ids.length);
  await session.run(sql`DELETE FROM ${deadLetter} WHERE ${those}`);
}

interface Archived {
  found: FoundMessage;
  request: VerbRequest;
  byKey: SQL;
}

async function archiveRow(session: Session, ref: OutboxRef, { found, request, byKey }: Archived): Promise<void> {
  const { mapping } = ref;
  const { row } = found;
  const { archive, delivery } = session.own;
  const d = deliveryOf(session.own);
  const { table, rows } = outboxTable(mapping);
  const { image } = await readRowImage(session, mapping);
  const values = {
    outbox: sql`${ref.name}`,
    messageId: sql`${row.id}`,
    ...summaryOfRow(mapping, mapping.archiveTable ? sql`NULL` : image),
    ...columnsOf(d, [...FAILURES, "deadAt", "deadBy"]),
    attempts: sql`COALESCE(${d.attempts}, ${row.attempts}, 0)`,
    lastError: sql`COALESCE(${d.lastError}, ${row.lastError})`,
    stateBefore: sql`${row.state}`,
    ...byOperator(request),
  };
  const ofDelivery = and(eq(d.outbox, ref.name), eq(d.messageId, row.id));
  const from = sql`FROM ${table} ${rows} LEFT JOIN ${delivery} ${d} ON ${ofDelivery} WHERE ${byKey}`;
  await session.run(insertSelect(archive, values, from));
  if (mapping.archiveTable)
    await copyRow(session, mapping, { from: table, to: tableNamed(mapping.archiveTable), byKey });
  requireMoved((await session.run(sql`DELETE ${rows} FROM ${table} ${rows} WHERE ${byKey}`)).affectedRows);
  await session.run(
    session.db.delete(delivery).where(and(eq(delivery.outbox, ref.name), eq(delivery.messageId, row.id))),
  );
}

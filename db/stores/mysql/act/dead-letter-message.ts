import { and, eq, sql } from "drizzle-orm";
import { factsOfRow } from "#db/stores/shared/act/dead-letter-facts.ts";
import { deadAssignments } from "#db/stores/shared/act/native-updates.ts";
import type { FoundMessage } from "#db/stores/shared/read/found-message.ts";
import { listOf } from "#db/stores/shared/tables/list-of.ts";
import { AppError } from "#domain/errors.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { MARKED_DEAD, MOVED_DEAD, RECORDED_DEAD } from "../../shared/act/act-sentences.ts";
import { requireLeaving } from "../../shared/act/require-leaving.ts";
import { requireMoved } from "../../shared/act/require-moved.ts";
import { ruledVerb } from "../../shared/act/ruled-verb.ts";
import type { Session } from "../connection/session.ts";
import { keyIs } from "../read/find-message.ts";
import { NOW } from "../tables/column-values.ts";
import { keyArrays } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { moveToDeadLetter } from "./move-to-dead-letter.ts";
import { ruledMessage, WRITER } from "./ruled-message.ts";
import type { Verb } from "./verb.ts";
import { whyRowCannotMove } from "./why-row-cannot-move.ts";

/**
 * Marks a message dead in the first of these that is possible: the table's own columns, a dead letter that replaces the
 * row, a delivery row.
 */
export const deadLetterMessage: Verb = async (session, ref, found, request) => {
  const keys = keyArrays(ref.mapping, found.row.id);
  if (!keys) throw new AppError("not_found", "This message is not there any more.");
  const rule = ruledVerb(ref.mapping, "dead-letter");
  if (rule && !("moveOut" in rule) && !("refuse" in rule)) return ruledMessage(rule)(session, ref, found, request);
  const set = deadAssignments(ref.mapping, found.row.rawStatus, WRITER);
  if (set) {
    const { db, own } = session;
    const { table, rows } = outboxTable(ref.mapping);
    const marked = sql`UPDATE ${table} ${rows} SET ${listOf(set)} WHERE ${keyIs(ref.mapping, keys)}`;
    requireMoved((await session.run(marked)).affectedRows);
    await session.run(
      db
        .update(own.delivery)
        .set({ nextAttemptAt: null })
        .where(ofDelivery(session, ref, found)),
    );
    return MARKED_DEAD;
  }
  const reason = await whyRowCannotMove(session, ref.mapping, keys);
  if (reason !== null && rule)
    throw new AppError(
      "wrong_state",
      `This row must leave its table for its library to leave it alone, and it cannot: ${reason}.`,
    );
  if (reason === null) {
    await moveOut(session, ref, { found, keys, by: request.actor.name });
    return rule && "does" in rule ? rule.does : MOVED_DEAD;
  }
  requireLeaving(ref, reason);
  await recordDead(session, ref, found, request.actor.name);
  return RECORDED_DEAD;
};

async function moveOut(
  session: Session,
  ref: OutboxRef,
  input: { found: FoundMessage; keys: string[][]; by: string },
): Promise<void> {
  const { delivery } = session.own;
  const ofMessage = ofDelivery(session, ref, input.found);
  const [known] = await session.db
    .select({
      messageId: delivery.messageId,
      attempts: delivery.attempts,
      firstErrorCode: delivery.firstErrorCode,
      firstError: delivery.firstError,
      firstFailedAt: delivery.firstFailedAt,
      lastErrorCode: delivery.lastErrorCode,
      lastError: delivery.lastError,
      lastFailedAt: delivery.lastFailedAt,
      fingerprint: delivery.fingerprint,
    })
    .from(delivery)
    .where(ofMessage)
    .for("update");
  if (known) await session.run(session.db.delete(delivery).where(ofMessage));
  const facts = [known ?? factsOfRow(input.found.row)];
  requireMoved(
    await moveToDeadLetter(session, ref.mapping, { outbox: ref.name, by: input.by, facts, keys: input.keys }),
  );
}

function ofDelivery({ own: { delivery } }: Session, { name }: OutboxRef, { row }: FoundMessage) {
  return and(eq(delivery.outbox, name), eq(delivery.messageId, row.id));
}

async function recordDead(session: Session, ref: OutboxRef, found: FoundMessage, by: string): Promise<void> {
  const { row } = found;
  const { delivery } = session.own;
  const given = { deadAt: NOW, deadBy: by, nextAttemptAt: null };
  await session.run(
    session.db
      .insert(delivery)
      .values({
        ...given,
        outbox: ref.name,
        messageId: row.id,
        eventType: row.eventType,
        createdAt: row.createdAt,
        attempts: row.attempts ?? 0,
      })
      .onDuplicateKeyUpdate({ set: given }),
  );
}

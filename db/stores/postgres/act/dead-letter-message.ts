import { and, eq, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import { factsOfRow } from "#db/stores/shared/act/dead-letter-facts.ts";
import { deadAssignments } from "#db/stores/shared/act/native-updates.ts";
import type { FoundMessage } from "#db/stores/shared/read/found-message.ts";
import { listOf } from "#db/stores/shared/tables/list-of.ts";
import { AppError } from "#domain/errors.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { MARKED_DEAD, MOVED_DEAD, RECORDED_DEAD } from "../../shared/act/act-sentences.ts";
import { requireLeaving } from "../../shared/act/require-leaving.ts";
import { requireWritten } from "../../shared/act/require-written.ts";
import { ruledVerb } from "../../shared/act/ruled-verb.ts";
import { queryOn } from "../connection/query-on.ts";
import { delivery } from "../own-schema/schema.ts";
import { keyIs } from "../read/find-message.ts";
import { arrayParameters, keyArrays } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { moveToDeadLetter } from "./move-to-dead-letter.ts";
import { ruledMessage, WRITER } from "./ruled-message.ts";
import type { Verb } from "./verb.ts";
import { whyRowCannotMove } from "./why-row-cannot-move.ts";

/**
 * Marks a message dead in the first of these that is possible: the table's own columns, a dead letter that replaces the
 * row, a delivery row.
 */
export const deadLetterMessage: Verb = async (client, ref, found, request) => {
  const keys = keyArrays(ref.mapping, found.row.id);
  if (!keys) throw new AppError("not_found", "This message is not there any more.");
  const rule = ruledVerb(ref.mapping, "dead-letter");
  if (rule && !("moveOut" in rule) && !("refuse" in rule)) return ruledMessage(rule)(client, ref, found, request);
  const set = deadAssignments(ref.mapping, found.row.rawStatus, WRITER);
  if (set) {
    const db = queryOn(client);
    const { table, rows } = outboxTable(ref.mapping);
    const { rowCount } = await db.execute(
      sql`UPDATE ${table} AS ${rows} SET ${listOf(set)} WHERE ${keyIs(ref.mapping, keys)}`,
    );
    requireWritten(rowCount);
    await db.update(delivery).set({ nextAttemptAt: null }).where(deliveryOf(ref, found));
    return MARKED_DEAD;
  }
  const reason = await whyRowCannotMove(client, ref.mapping, keys);
  if (reason !== null && rule)
    throw new AppError(
      "wrong_state",
      `This row must leave its table for its library to leave it alone, and it cannot: ${reason}.`,
    );
  if (reason === null) {
    await moveOut(client, ref, { found, keys, by: request.actor.name });
    return rule && "does" in rule ? rule.does : MOVED_DEAD;
  }
  requireLeaving(ref, reason);
  await tellBeside(client, ref, found, request.actor.name);
  return RECORDED_DEAD;
};

async function moveOut(
  client: PoolClient,
  ref: OutboxRef,
  input: { found: FoundMessage; keys: string[][]; by: string },
): Promise<void> {
  const db = queryOn(client);
  const [taken] = await db.delete(delivery).where(deliveryOf(ref, input.found)).returning({
    messageId: delivery.messageId,
    attempts: delivery.attempts,
    firstErrorCode: delivery.firstErrorCode,
    firstError: delivery.firstError,
    firstFailedAt: delivery.firstFailedAt,
    lastErrorCode: delivery.lastErrorCode,
    lastError: delivery.lastError,
    lastFailedAt: delivery.lastFailedAt,
    fingerprint: delivery.fingerprint,
  });
  const facts = taken ?? factsOfRow(input.found.row);
  const { rowCount } = await db.execute(
    moveToDeadLetter(ref.mapping, {
      outbox: sql`${ref.name}`,
      by: sql`${input.by}`,
      facts: sql`${JSON.stringify([facts])}`,
      keys: arrayParameters(input.keys),
    }),
  );
  requireWritten(rowCount);
}

function deliveryOf({ name }: OutboxRef, { row }: FoundMessage) {
  return and(eq(delivery.outbox, name), eq(delivery.messageId, row.id));
}

async function tellBeside(client: PoolClient, ref: OutboxRef, found: FoundMessage, by: string): Promise<void> {
  const { row } = found;
  const given = { deadAt: sql`clock_timestamp()`, deadBy: by, nextAttemptAt: null };
  await queryOn(client)
    .insert(delivery)
    .values({
      ...given,
      outbox: ref.name,
      messageId: row.id,
      eventType: row.eventType,
      createdAt: row.createdAt,
      attempts: row.attempts ?? 0,
    })
    .onConflictDoUpdate({ target: [delivery.outbox, delivery.messageId], set: given });
}

import type { PoolClient } from "pg";
import { AppError } from "#domain/errors.ts";
import { fingerprint } from "#domain/fingerprint.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { type FoundMessage, keyArrays } from "../read/find-message.ts";
import { keyMatch, quoteTable } from "../tables/mapping-sql.ts";
import { type DeadLetterFacts, deadLetterStatement } from "./move-to-dead-letter.ts";
import { deadAssignments } from "./native-updates.ts";
import type { Verb } from "./verb.ts";
import { whyRowCannotMove } from "./why-row-cannot-move.ts";

/** Gives up on a message: in the table's own words where it has them, else moved out, else told beside its row. */
export const deadLetterMessage: Verb = async (client, ref, found, request) => {
  const keys = keyArrays(ref.mapping, found.row.id);
  if (!keys) throw new AppError("not_found", "This message is not there any more.");
  const set = deadAssignments(ref.mapping, found.row.rawStatus);
  if (set) {
    await client.query(
      `UPDATE ${quoteTable(ref.mapping.table)} AS t SET ${set.join(", ")} WHERE ${keyMatch(ref.mapping, "t", 1)}`,
      keys,
    );
    await client.query(
      "UPDATE outbox_console.delivery SET next_attempt_at = NULL WHERE outbox = $1 AND message_id = $2",
      [ref.name, found.row.id],
    );
    return "Marked dead in its own table; nothing retries it until someone acts.";
  }
  if ((await whyRowCannotMove(client, ref.mapping, keys)) === null) {
    await moveOut(client, ref, { found, keys, by: request.actor.name });
    return "Moved to the dead letters; its aggregate goes on without it.";
  }
  await tellBeside(client, ref, found, request.actor.name);
  return "Given up on; the row stays in its table because it cannot be moved.";
};

async function moveOut(
  client: PoolClient,
  ref: OutboxRef,
  input: { found: FoundMessage; keys: string[][]; by: string },
): Promise<void> {
  const taken = await client.query<DeadLetterFacts>(
    `DELETE FROM outbox_console.delivery WHERE outbox = $1 AND message_id = $2
     RETURNING message_id AS "messageId", attempts, first_error_code AS "firstErrorCode", first_error AS "firstError", first_failed_at AS "firstFailedAt",
       last_error_code AS "lastErrorCode", last_error AS "lastError", last_failed_at AS "lastFailedAt", fingerprint`,
    [ref.name, input.found.row.id],
  );
  const facts = taken.rows[0] ?? factsOfRow(input.found);
  await client.query(deadLetterStatement(ref.mapping), [ref.name, input.by, JSON.stringify([facts]), ...input.keys]);
}

function factsOfRow(found: FoundMessage): DeadLetterFacts {
  const { row } = found;
  const group =
    row.lastError === null
      ? null
      : fingerprint({ code: row.lastErrorCode ?? "unknown", error: row.lastError, eventType: row.eventType });
  return {
    messageId: row.id,
    attempts: row.attempts ?? 0,
    firstErrorCode: row.lastErrorCode,
    firstError: row.lastError,
    firstFailedAt: null,
    lastErrorCode: row.lastErrorCode,
    lastError: row.lastError,
    lastFailedAt: null,
    fingerprint: group,
  };
}

async function tellBeside(client: PoolClient, ref: OutboxRef, found: FoundMessage, by: string): Promise<void> {
  const { row } = found;
  await client.query(
    `INSERT INTO outbox_console.delivery AS d (outbox, message_id, event_type, created_at, attempts, dead_at, dead_by)
     VALUES ($1, $2, $3, $4::timestamptz, $5, clock_timestamp(), $6)
     ON CONFLICT (outbox, message_id) DO UPDATE SET dead_at = excluded.dead_at, dead_by = excluded.dead_by, next_attempt_at = NULL`,
    [ref.name, row.id, row.eventType, row.createdAt, row.attempts ?? 0, by],
  );
}

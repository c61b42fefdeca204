import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { decodeMessageId } from "#db/stores/port/message-id.ts";
import { deadLetterStatement } from "#db/stores/postgres/act/move-to-dead-letter.ts";
import type { RelaySession } from "#db/stores/postgres/connection/sessions.ts";
import { textArray } from "#db/stores/postgres/connection/text-array.ts";
import { keyParameters } from "#db/stores/postgres/tables/mapping-sql.ts";
import { imageSurvives } from "#db/stores/postgres/tables/row-image.ts";
import type { RelayContext } from "../relay-context.ts";
import { forgetDelivery } from "./attempts.ts";
import type { DeadRepresentation } from "./record-failures.ts";

/** What the catalog and the mapping allow. `movable` is asked once per outbox. */
export function deadRepresentation(mapping: OutboxMapping, movable: boolean): DeadRepresentation {
  const { lifecycle, columns, deadAttempts } = mapping;
  const byWord = lifecycle.kind === "status" && !lifecycle.guessed && lifecycle.dead.length > 0;
  const byAttempts = columns.attempts !== undefined && deadAttempts !== null;
  if (byWord || byAttempts) return "native";
  return movable ? "move" : "beside";
}

/** An id that was dead-lettered before and came again keeps its first image: the second stays in its table. */
export async function alreadyBuried(
  context: RelayContext,
  session: RelaySession,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await session.query(
    "bury-known",
    "SELECT message_id FROM outbox_console.dead_letter WHERE outbox = $1 AND message_id = ANY ($2::text[])",
    [context.outbox, textArray(ids)],
  );
  return new Set(rows.map(([id]) => id ?? ""));
}

/** Ids whose rows would not come back from their images as they are: they must never leave their table. */
export async function immovableIds(
  context: RelayContext,
  session: RelaySession,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { mapping } = context;
  const survive = (some: readonly string[]) => {
    const keys = some.map((id) => decodeMessageId(id, mapping.primaryKey.length));
    return imageSurvives(session.client, mapping, keyParameters(keys, mapping.primaryKey.length));
  };
  if (await survive(ids)) return new Set();
  const immovable = new Set<string>();
  for (const id of ids) if (!(await survive([id]))) immovable.add(id);
  return immovable;
}

const FACTS = `
SELECT coalesce(json_agg(json_build_object('messageId', message_id, 'attempts', attempts, 'firstErrorCode', first_error_code, 'firstError', first_error,
  'firstFailedAt', first_failed_at, 'lastErrorCode', last_error_code, 'lastError', last_error, 'lastFailedAt', last_failed_at, 'fingerprint', fingerprint)), '[]')::text
FROM outbox_console.delivery WHERE outbox = $1 AND message_id = ANY ($2::text[])`;

/** Moves rows away with everything that `recordFailures` has just kept beside them. Rows are locked by the caller. */
export async function buryRows(context: RelayContext, session: RelaySession, ids: readonly string[]): Promise<void> {
  const { mapping, outbox } = context;
  const keyLength = mapping.primaryKey.length;
  const { rows } = await session.query("bury-facts", FACTS, [outbox, textArray(ids)]);
  const keys = keyParameters(
    ids.map((id) => decodeMessageId(id, keyLength)),
    keyLength,
  ).map(textArray);
  await session.query("bury-move", deadLetterStatement(mapping), [outbox, "relay", rows[0]?.[0] ?? "[]", ...keys]);
  await forgetDelivery(context, session, ids);
}

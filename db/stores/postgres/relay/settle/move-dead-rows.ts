import { decodeMessageId } from "#db/stores/port/message-id.ts";
import { deadLetterStatement } from "#db/stores/postgres/act/move-to-dead-letter.ts";
import type { RelaySession } from "#db/stores/postgres/connection/sessions.ts";
import { textArray } from "#db/stores/postgres/connection/text-array.ts";
import { imageSurvives } from "#db/stores/postgres/tables/row-image.ts";
import { keyParameters } from "#db/stores/shared/tables/key-parameters.ts";
import type { RelayContext } from "../relay-context.ts";
import { forgetDelivery } from "./attempts.ts";

/** Ids that are already among the dead letters. Their first image is kept; the second row stays in its table. */
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

/** Ids whose rows could not be restored unchanged from their images; they must stay in their table. */
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

/** Moves rows out with the failures that `recordFailures` has just written. The caller has locked the rows. */
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

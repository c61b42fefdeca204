import { and, eq, inArray, max } from "drizzle-orm";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { Session } from "../connection/session.ts";

/** The relay of the last failed attempt of each message. Index: attempt_message_idx. */
export async function readFailedBy(
  { db, own: { attempt } }: Session,
  { name, storeSide }: OutboxRef,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (!storeSide || ids.length === 0) return new Map();
  const failed = and(
    eq(attempt.outbox, name),
    inArray(attempt.messageId, [...ids]),
    inArray(attempt.outcome, ["failed", "dead"]),
  );
  const last = db
    .select({ id: max(attempt.id).as("last") })
    .from(attempt)
    .where(failed)
    .groupBy(attempt.messageId)
    .as("lasts");
  const rows = await db
    .select({ id: attempt.messageId, relay: attempt.relay })
    .from(attempt)
    .innerJoin(last, eq(attempt.id, last.id));
  return new Map(rows.flatMap(({ id, relay }) => (relay === null ? [] : [[id, relay] as const])));
}

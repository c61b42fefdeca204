import { and, desc, eq, inArray } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { queryOn } from "../connection/query-on.ts";
import { attempt } from "../own-schema/schema.ts";

/** The relay of the last failed attempt of each message. Index: attempt_message_idx. */
export async function readFailedBy(
  client: PoolClient,
  { name, storeSide }: OutboxRef,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (!storeSide || ids.length === 0) return new Map();
  const failed = and(
    eq(attempt.outbox, name),
    inArray(attempt.messageId, [...ids]),
    inArray(attempt.outcome, ["failed", "dead"]),
  );
  const rows = await queryOn(client)
    .selectDistinctOn([attempt.messageId], { id: attempt.messageId, relay: attempt.relay })
    .from(attempt)
    .where(failed)
    .orderBy(attempt.messageId, desc(attempt.id));
  return new Map(rows.flatMap(({ id, relay }) => (relay === null ? [] : [[id, relay] as const])));
}

import { and, eq, inArray } from "drizzle-orm";
import type { PoolClient } from "pg";
import { CORRECT, copyIdOf } from "#domain/message/correction.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { queryOn } from "../connection/query-on.ts";
import { audit } from "../own-schema/schema.ts";

/** Those of the messages of which a corrected copy was sent, with its id. Index: audit_message_idx. */
export async function correctedAmong(
  client: PoolClient,
  { name }: OutboxRef,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { messageId, action, detail } = audit;
  const rows = await queryOn(client)
    .select({ messageId, action, detail })
    .from(audit)
    .where(and(eq(audit.outbox, name), inArray(messageId, [...ids]), eq(action, CORRECT)));
  return new Map(rows.flatMap((row) => (row.messageId ? [[row.messageId, copyIdOf([row]) ?? "unknown"]] : [])));
}

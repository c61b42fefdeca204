import { and, eq, inArray } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { queryOn } from "../connection/query-on.ts";
import { deadLetter } from "../own-schema/schema.ts";

/**
 * Locks dead letters; those that another session has locked are left out, or with `noWait` throw 55P03. Index: primary key
 * of dead_letter.
 */
export async function lockDeadLetters(
  client: PoolClient,
  ref: OutboxRef,
  ids: readonly string[],
  { noWait = false } = {},
): Promise<string[]> {
  const rows = await queryOn(client)
    .select({ id: deadLetter.messageId })
    .from(deadLetter)
    .where(and(eq(deadLetter.outbox, ref.name), inArray(deadLetter.messageId, [...ids])))
    .for("update", noWait ? { noWait } : { skipLocked: true });
  return rows.map(({ id }) => id);
}

import { sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { queryOn } from "../connection/query-on.ts";
import { keyIs } from "../read/find-message.ts";
import { keyArrays } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { lockDeadLetters } from "./lock-dead-letters.ts";

/**
 * Locks the row of a message in its table or among the dead letters. Throws 55P03 at once if another session has locked
 * it.
 */
export async function lockRow(client: PoolClient, ref: OutboxRef, id: string): Promise<void> {
  if (ref.storeSide) await lockDeadLetters(client, ref, [id], { noWait: true });
  const keys = keyArrays(ref.mapping, id);
  if (!keys) return;
  await queryOn(client)
    .select({ one: sql`1` })
    .from(outboxTable(ref.mapping).rows)
    .where(keyIs(ref.mapping, keys))
    .for("update", { noWait: true });
}

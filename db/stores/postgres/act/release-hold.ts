import type { PoolClient } from "pg";
import type { OutboxRef } from "../../port/outbox-ref.ts";

/** An operator has dealt with a dead message: its aggregate, which was held behind it, goes on. Index: pause_message_idx. */
export async function releaseHold(client: PoolClient, ref: OutboxRef, messageId: string): Promise<boolean> {
  const { rowCount } = await client.query("DELETE FROM outbox_console.pause WHERE outbox = $1 AND message_id = $2", [
    ref.name,
    messageId,
  ]);
  return (rowCount ?? 0) > 0;
}

import { sql } from "drizzle-orm";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { Session } from "../connection/session.ts";
import { keyArrays, keyIs } from "../read/find-message.ts";
import { outboxTable } from "../tables/outbox-table.ts";

/** Locks the row of a message, if it is in its table. Fails at once if another session has locked it. */
export async function lockRow(session: Session, ref: OutboxRef, id: string): Promise<void> {
  const keys = keyArrays(ref.mapping, id);
  if (!keys) return;
  await session.db
    .select({ one: sql`1` })
    .from(outboxTable(ref.mapping).rows)
    .where(keyIs(ref.mapping, keys))
    .for("update", { noWait: true });
}

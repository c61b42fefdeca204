import { and, eq, sql } from "drizzle-orm";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { Session } from "../connection/session.ts";
import { keyIs } from "../read/find-message.ts";
import { keyArrays } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";

/**
 * Locks a message wherever it is: its row in the table, and our record of it among the dead letters or in the archive.
 * Fails at once if another session has locked one of them. Indexes: the primary keys. READ COMMITTED locks no gap.
 */
export async function lockRow(session: Session, ref: OutboxRef, id: string): Promise<void> {
  const { db, own } = session;
  const keys = keyArrays(ref.mapping, id);
  const one = { one: sql`1` };
  const row = keys && db.select(one).from(outboxTable(ref.mapping).rows).where(keyIs(ref.mapping, keys));
  const records = ref.storeSide
    ? [own.deadLetter, own.archive].map((table) =>
        db
          .select(one)
          .from(table)
          .where(and(eq(table.outbox, ref.name), eq(table.messageId, id))),
      )
    : [];
  await session.script([...(row ? [row] : []), ...records].map((lock) => lock.for("update", { noWait: true })));
}

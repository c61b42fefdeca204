import { and, eq, inArray } from "drizzle-orm";
import { decodeMessageId } from "#db/stores/port/message-id.ts";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { Session } from "../connection/session.ts";
import { movedRowColumns, movedTables, tableRowColumns } from "../tables/message-columns.ts";
import { selectFrom, selectRows } from "../tables/message-state.ts";
import { keyIs } from "./find-message.ts";

/** The messages of these ids, each once: from the table, else from the dead letters or the archive. In any order. */
export async function findMessages(session: Session, ref: OutboxRef, ids: readonly string[]): Promise<MessageRow[]> {
  if (ids.length === 0) return [];
  const { mapping } = ref;
  const keys = ids.map((id) => decodeMessageId(id, mapping.primaryKey.length));
  const columns = mapping.primaryKey.map((_, index) => keys.map((key) => key[index] ?? ""));
  const found = new Map<string, MessageRow>();
  const add = (rows: readonly MessageRow[]) => {
    for (const row of rows) if (!found.has(row.id)) found.set(row.id, row);
  };
  add(await selectRows(session, ref, tableRowColumns(session.own, ref)).where(keyIs(mapping, columns)));
  if (!ref.storeSide) return [...found.values()];
  for (const place of ["dead_letter", "archive"] as const) {
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length === 0) break;
    const moved = movedTables(session.own)[place];
    add(
      await selectFrom(session, [], movedRowColumns(ref, place), moved).where(
        and(eq(moved.outbox, ref.name), inArray(moved.messageId, missing)),
      ),
    );
  }
  return [...found.values()];
}

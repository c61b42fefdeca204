import { and, eq, inArray, sql } from "drizzle-orm";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { FoundMessage } from "#db/stores/shared/read/found-message.ts";
import { keyParameters } from "#db/stores/shared/tables/key-parameters.ts";
import type { Session } from "../connection/session.ts";
import { textOf } from "../tables/column-values.ts";
import { movedRowColumns, movedTables, tableRowColumns } from "../tables/message-columns.ts";
import { keysOf, messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { selectFrom, selectRows } from "../tables/states/message-state.ts";
import { keyIs } from "./find-message.ts";

/** The messages of these ids, each once, in any order: from the table, or from the dead letters or the archive. */
export async function findMessages(session: Session, ref: OutboxRef, ids: readonly string[]): Promise<MessageRow[]> {
  if (ids.length === 0) return [];
  const { mapping } = ref;
  const columns = keyParameters(keysOf(mapping, ids), mapping.primaryKey.length);
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

/**
 * Messages that the caller has locked: dead letters, and rows of the table; in any order. Leaves out `blockedBy`,
 * because the lookup would read all messages that an operation has retried.
 */
export async function findLocked(
  session: Session,
  ref: OutboxRef,
  { letters, staying }: { letters: readonly string[]; staying: readonly string[] },
): Promise<FoundMessage[]> {
  const { mapping } = ref;
  const moved = movedTables(session.own).dead_letter;
  const keys = keyParameters(keysOf(mapping, staying), mapping.primaryKey.length);
  const columns = { ...tableRowColumns(session.own, ref), blockedBy: sql<string | null>`NULL` };
  const inPlace = staying.length > 0 ? await selectRows(session, ref, columns).where(keyIs(mapping, keys)) : [];
  const inOurs =
    letters.length > 0
      ? await selectFrom(session, [], movedRowColumns(ref, "dead_letter"), moved).where(
          and(eq(moved.outbox, ref.name), inArray(moved.messageId, [...letters])),
        )
      : [];
  return [
    ...inPlace.map((row) => ({ row, place: "table" as const })),
    ...inOurs.map((row) => ({ row, place: "dead_letter" as const })),
  ];
}

/** The id role's text by message id, of the messages in the table. */
export async function readEventIds(
  session: Session,
  { mapping }: OutboxRef,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const outbox = outboxTable(mapping);
  const columns = keyParameters(keysOf(mapping, ids), mapping.primaryKey.length);
  const rows = await session.db
    .select({ id: messageId(outbox), eventId: textOf(outbox, mapping.columns.id) })
    .from(outbox.rows)
    .where(keyIs(mapping, columns));
  return new Map(rows.flatMap(({ id, eventId }) => (eventId === null ? [] : [[id, eventId] as const])));
}

import { and, eq, inArray } from "drizzle-orm";
import type { PoolClient } from "pg";
import { decodeMessageId } from "#db/stores/port/message-id.ts";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { queryOn } from "../connection/query-on.ts";
import { movedRowColumns, movedTables, tableRowColumns } from "../tables/message-columns.ts";
import { keyParameters } from "../tables/message-key.ts";
import { selectFrom, selectRows } from "../tables/message-state.ts";
import { type FoundMessage, keyIs, type Place } from "./find-message.ts";

/** The messages of these ids, each once: from the table, else from the dead letters or the archive. In any order. */
export async function findMessages(
  client: PoolClient,
  ref: OutboxRef,
  ids: readonly string[],
): Promise<FoundMessage[]> {
  if (ids.length === 0) return [];
  const { mapping } = ref;
  const keys = ids.map((id) => decodeMessageId(id, mapping.primaryKey.length));
  const db = queryOn(client);
  const found = new Map<string, FoundMessage>();
  const add = (rows: readonly MessageRow[], place: Place) => {
    for (const row of rows) if (!found.has(row.id)) found.set(row.id, { row, place });
  };
  add(
    await selectRows(db, ref, tableRowColumns(ref)).where(
      keyIs(mapping, keyParameters(keys, mapping.primaryKey.length)),
    ),
    "table",
  );
  if (!ref.storeSide) return [...found.values()];
  for (const place of ["dead_letter", "archive"] as const) {
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length === 0) break;
    const m = movedTables[place];
    add(
      await selectFrom(db, [], movedRowColumns(ref, place), m).where(
        and(eq(m.outbox, ref.name), inArray(m.messageId, missing)),
      ),
      place,
    );
  }
  return [...found.values()];
}

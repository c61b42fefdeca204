import { and, eq, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { FoundMessage, MovedPlace, Place } from "#db/stores/shared/read/found-message.ts";
import { keyParameters } from "#db/stores/shared/tables/key-parameters.ts";
import { queryOn } from "../connection/query-on.ts";
import { textOf } from "../tables/column-values.ts";
import { movedRowColumns, movedTables, tableRowColumns } from "../tables/message-columns.ts";
import { keysOf, messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { selectFrom, selectRows } from "../tables/states/message-state.ts";
import { keyIs } from "./find-message.ts";

/** The messages of these ids, each once, in any order: from the table, or from the dead letters or the archive. */
export async function findMessages(
  client: PoolClient,
  ref: OutboxRef,
  ids: readonly string[],
): Promise<FoundMessage[]> {
  if (ids.length === 0) return [];
  const found = new Map<string, FoundMessage>();
  const add = (rows: readonly MessageRow[], place: Place) => {
    for (const row of rows) if (!found.has(row.id)) found.set(row.id, { row, place });
  };
  add(await findInTable(client, ref, ids), "table");
  if (!ref.storeSide) return [...found.values()];
  for (const place of ["dead_letter", "archive"] as const) {
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length === 0) break;
    add(await findMoved(client, ref, { place, ids: missing }), place);
  }
  return [...found.values()];
}

/** Dead messages that the caller has locked: moved ones, and those that stay in their table. In any order. */
export async function findDead(
  client: PoolClient,
  ref: OutboxRef,
  { letters, staying }: { letters: readonly string[]; staying: readonly string[] },
): Promise<FoundMessage[]> {
  const moved = letters.length > 0 ? await findMoved(client, ref, { place: "dead_letter", ids: letters }) : [];
  const inTable = staying.length > 0 ? await findInTable(client, ref, staying) : [];
  return [
    ...moved.map((row) => ({ row, place: "dead_letter" as const })),
    ...inTable.map((row) => ({ row, place: "table" as const })),
  ];
}

function findInTable(client: PoolClient, ref: OutboxRef, ids: readonly string[]): Promise<MessageRow[]> {
  const { mapping } = ref;
  const keys = keyParameters(keysOf(mapping, ids), mapping.primaryKey.length);
  return selectRows(queryOn(client), ref, tableRowColumns(ref)).where(keyIs(mapping, keys));
}

function findMoved(
  client: PoolClient,
  ref: OutboxRef,
  { place, ids }: { place: MovedPlace; ids: readonly string[] },
): Promise<MessageRow[]> {
  const m = movedTables[place];
  return selectFrom(queryOn(client), [], movedRowColumns(ref, place), m).where(
    and(eq(m.outbox, ref.name), sql`${m.messageId} = ANY(${sql.param([...ids])}::text[])`),
  );
}

/** The id role's text by message id, of the messages in the table. */
export async function readEventIds(
  client: PoolClient,
  ref: OutboxRef,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { mapping } = ref;
  const keys = keysOf(mapping, ids);
  if (keys.length === 0) return new Map();
  const outbox = outboxTable(mapping);
  const rows = await queryOn(client)
    .select({ id: messageId(outbox), eventId: textOf(outbox, mapping.columns.id) })
    .from(outbox.rows)
    .where(keyIs(mapping, keyParameters(keys, mapping.primaryKey.length)));
  return new Map(rows.flatMap(({ id, eventId }) => (eventId === null ? [] : [[id, eventId] as const])));
}

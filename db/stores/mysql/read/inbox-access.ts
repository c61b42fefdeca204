import type { SQL } from "drizzle-orm";
import type { InboxMapping } from "#db/stores/port/inbox-mapping.ts";
import type { InboxPageRequest } from "#db/stores/port/inbox-reader.ts";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import { ALWAYS, all, NEVER } from "#db/stores/shared/states/conditions.ts";
import type { Session } from "../connection/session.ts";
import { bestForList, findAccesses, forcedRows, type Order } from "../plans/find-access.ts";
import { createIndex } from "../plans/recommended-indexes.ts";
import { indexesOf, isAffordable, READ_BUDGET, sizeOf } from "../plans/table-access.ts";
import { both, EVERY, type Piece, type Pieces } from "../tables/index-pieces.ts";
import { equalsIfFits } from "../tables/message-filter.ts";
import { inboxTable } from "../tables/outbox-table.ts";
import { statesOfInbox } from "../tables/states/inbox-state.ts";

type Filter = InboxPageRequest["filter"];

export function filterWhere(mapping: InboxMapping, { state, q, consumer }: Filter): SQL {
  const inbox = inboxTable(mapping);
  return all(
    state === "all" ? ALWAYS : statesOfInbox(mapping)[state],
    q ? equalsIfFits(inbox, mapping.messageId, q) : ALWAYS,
    consumer ? equalsIfFits(inbox, mapping.consumer, consumer) : ALWAYS,
  );
}

/**
 * FROM item of the rows that a filter looks through, by the index that serves it best; null if only a scan of a large
 * table, or a sort of too many rows, could answer. Without an order any search serves.
 */
export async function rowsOf(
  session: Session,
  mapping: InboxMapping,
  { filter, order }: { filter: Filter; order: Order | null },
): Promise<SQL | null> {
  const inbox = inboxTable(mapping);
  const whole = forcedRows(inbox, null);
  if (filterWhere(mapping, filter) === NEVER || (await isAffordable(session, { mapping }))) return whole;
  const found = await findAccesses(session, inbox, {
    bases: basesOf(mapping, filter),
    order: order ?? { columns: [], descending: false },
    // Where most rows match the filter, an index in list order has a page at its beginning.
    walk:
      order !== null && filter.state !== "unprocessed" && filter.state !== "failed" && !filter.q && !filter.consumer,
    indexes: await indexesOf(session, { mapping }),
    tableRows: (await sizeOf(session, { mapping })).rows,
  });
  const best = bestForList(found);
  if (!best || (order !== null && !best.ordered && best.rows > READ_BUDGET)) return null;
  return forcedRows(inbox, best.index);
}

/** Possible searches for a filter: all of its conditions together, and each alone. */
function basesOf(mapping: InboxMapping, { state, q, consumer }: Filter): Pieces[] {
  const inbox = inboxTable(mapping);
  const one = (column: MappedColumn, where: SQL): Piece => ({ where, columns: [{ name: column.name, one: true }] });
  const pieces = [
    ...(q ? [one(mapping.messageId, equalsIfFits(inbox, mapping.messageId, q))] : []),
    ...(consumer && mapping.consumer ? [one(mapping.consumer, equalsIfFits(inbox, mapping.consumer, consumer))] : []),
    ...(state === "unprocessed" && isSearchable(mapping)
      ? [one(mapping.mark.column, statesOfInbox(mapping).unprocessed)]
      : []),
  ];
  const [first, ...others] = pieces;
  if (!first) return [EVERY];
  const together = others.reduce<Pieces>((so, piece) => both(so, piece), [first]);
  return pieces.length > 1 ? [together, ...pieces.map((piece) => [piece])] : [together];
}

type Searchable = InboxMapping & { mark: { kind: "time"; column: MappedColumn } };

/** An index over a time finds the rows without one. An index over a status cannot search for "none of these words". */
function isSearchable(mapping: InboxMapping): mapping is Searchable {
  return mapping.mark.kind === "time" && !mapping.mark.always;
}

export function indexOver(mapping: InboxMapping, column: MappedColumn): string {
  return createIndex({ table: mapping.table }, [column]) ?? "";
}

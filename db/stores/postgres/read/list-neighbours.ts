import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { StoredMessage } from "#db/stores/port/message-detail.ts";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { around, type PlacedRow } from "#db/stores/shared/read/around.ts";
import { UNREAD_NEIGHBOURS } from "#db/stores/shared/read/unread-neighbours.ts";
import { ALWAYS, all } from "#db/stores/shared/states/conditions.ts";
import { queryOn } from "../connection/query-on.ts";
import { wouldScan } from "../plans/query-cost.ts";
import { comparable, encodeInstant, textOf } from "../tables/column-values.ts";
import { tableRowColumns } from "../tables/message-columns.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { selectRows } from "../tables/states/message-state.ts";

const NEIGHBOURS_EACH_WAY = 5;

type Neighbours = Pick<StoredMessage, "neighbours" | "neighboursUnread">;

/**
 * Messages of the same aggregate around this one, oldest first, itself included; only itself, and why, if finding
 * others needs a scan or no time says where they are.
 */
export async function listNeighbours(client: PoolClient, ref: OutboxRef, row: MessageRow): Promise<Neighbours> {
  const { aggregateId, aggregateType, createdAt, order } = ref.mapping.columns;
  const only = (unread: string | null): Neighbours => ({ neighbours: [row], neighboursUnread: unread });
  if (!aggregateId || row.aggregateId === null) return only(null);
  if (!createdAt) return only(UNREAD_NEIGHBOURS.noTime);
  if (row.createdAt === null) return only(UNREAD_NEIGHBOURS.noTimeOfRow);
  const outbox = outboxTable(ref.mapping);
  const created = outbox.column(createdAt);
  const bound = encodeInstant(createdAt, sql`${row.createdAt}::text::timestamptz`);
  const same = all(
    sql`${outbox.column(aggregateId)} = ${comparable(aggregateId, row.aggregateId)}`,
    aggregateType && row.aggregateType !== null ? sql`${outbox.column(aggregateType)} = ${row.aggregateType}` : ALWAYS,
  );
  // Not by SQL: an index of an aggregate's creation times would no longer give the order.
  const place = textOf(outbox, order);
  const half = async (beyond: SQL, order: SQL): Promise<PlacedRow[] | null> => {
    const query = selectRows(queryOn(client), ref, { ...tableRowColumns(ref), place })
      .where(all(same, beyond))
      .orderBy(order)
      .limit(NEIGHBOURS_EACH_WAY + 1);
    return (await wouldScan(client, query)) ? null : query;
  };
  const before = await half(sql`${created} <= ${bound}`, sql`${created} DESC`);
  const after = await half(sql`${created} > ${bound}`, sql`${created} ASC`);
  return around(row, before, after);
}

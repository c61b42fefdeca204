import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ALWAYS, all } from "#db/stores/shared/states/conditions.ts";
import { queryOn } from "../connection/query-on.ts";
import { wouldScan } from "../plans/query-cost.ts";
import { comparable, encodeInstant } from "../tables/column-values.ts";
import { tableRowColumns } from "../tables/message-columns.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { selectRows } from "../tables/states/message-state.ts";

const NEIGHBOURS_EACH_WAY = 5;

/**
 * Messages of the same aggregate around this one, oldest first, itself included; only itself if finding others needs a
 * scan.
 */
export async function listNeighbours(client: PoolClient, ref: OutboxRef, row: MessageRow): Promise<MessageRow[]> {
  const { aggregateId, aggregateType, createdAt } = ref.mapping.columns;
  if (!aggregateId || row.aggregateId === null || !createdAt || row.createdAt === null) return [row];
  const outbox = outboxTable(ref.mapping);
  const created = outbox.column(createdAt);
  const bound = encodeInstant(createdAt, sql`${row.createdAt}::text::timestamptz`);
  const same = all(
    sql`${outbox.column(aggregateId)} = ${comparable(aggregateId, row.aggregateId)}`,
    aggregateType && row.aggregateType !== null ? sql`${outbox.column(aggregateType)} = ${row.aggregateType}` : ALWAYS,
  );
  const half = async (beyond: SQL, order: SQL): Promise<MessageRow[]> => {
    const query = selectRows(queryOn(client), ref, tableRowColumns(ref))
      .where(all(same, beyond))
      .orderBy(order)
      .limit(NEIGHBOURS_EACH_WAY + 1);
    return (await wouldScan(client, query)) ? [] : query;
  };
  const earlier = (await half(sql`${created} <= ${bound}`, sql`${created} DESC`)).reverse();
  const later = await half(sql`${created} > ${bound}`, sql`${created} ASC`);
  const around = [...earlier, ...later];
  return around.some((neighbour) => neighbour.id === row.id) ? around : [...earlier, row, ...later];
}

import { type SQL, sql } from "drizzle-orm";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ALWAYS, all } from "#db/stores/shared/states/conditions.ts";
import type { Session } from "../connection/session.ts";
import { wouldScan } from "../plans/table-access.ts";
import { encodeInstant, instantParameter } from "../tables/column-values.ts";
import { tableRowColumns } from "../tables/message-columns.ts";
import { equalsText } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { selectRows } from "../tables/states/message-state.ts";

const NEIGHBOURS_EACH_WAY = 5;

/**
 * Messages of the same aggregate around this one, oldest first, itself included; only itself if finding others needs a
 * scan.
 */
export async function listNeighbours(session: Session, ref: OutboxRef, row: MessageRow): Promise<MessageRow[]> {
  const { aggregateId, aggregateType, createdAt } = ref.mapping.columns;
  if (!aggregateId || row.aggregateId === null || !createdAt || row.createdAt === null) return [row];
  const outbox = outboxTable(ref.mapping);
  const created = outbox.column(createdAt);
  const bound = encodeInstant(createdAt, instantParameter(row.createdAt));
  const same = all(
    equalsText(outbox, aggregateId, row.aggregateId),
    aggregateType && row.aggregateType !== null ? equalsText(outbox, aggregateType, row.aggregateType) : ALWAYS,
  );
  const half = async (beyond: SQL, order: SQL): Promise<MessageRow[]> => {
    const query = selectRows(session, ref, tableRowColumns(session.own, ref))
      .where(all(same, beyond))
      .orderBy(order)
      .limit(NEIGHBOURS_EACH_WAY + 1);
    return (await wouldScan(session, ref, query)) ? [] : query;
  };
  const earlier = (await half(sql`${created} <= ${bound}`, sql`${created} DESC`)).reverse();
  const later = await half(sql`${created} > ${bound}`, sql`${created} ASC`);
  const around = [...earlier, ...later];
  return around.some((neighbour) => neighbour.id === row.id) ? around : [...earlier, row, ...later];
}

import type { PoolClient } from "pg";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { wouldScan } from "../plans/query-cost.ts";
import { columnSql, comparisonType, encodeInstant } from "../tables/mapping-sql.ts";
import { claimsCte, fromTable, tableRowColumns } from "../tables/message-sql.ts";

const NEIGHBOURS_EACH_WAY = 5;

/** Messages of the same aggregate around this one, oldest first, this one included; alone where finding them would scan. */
export async function listNeighbours(client: PoolClient, ref: OutboxRef, row: MessageRow): Promise<MessageRow[]> {
  const { aggregateId, aggregateType, createdAt } = ref.mapping.columns;
  if (!aggregateId || row.aggregateId === null || !createdAt || row.createdAt === null) return [row];
  const created = columnSql(createdAt, "t");
  const same = `${columnSql(aggregateId, "t")} = $2::text::${comparisonType(aggregateId.type)}${aggregateType && row.aggregateType !== null ? ` AND ${columnSql(aggregateType, "t")} = $4` : ""}`;
  const bound = encodeInstant(createdAt, "$3::text::timestamptz");
  const values = [
    ref.name,
    row.aggregateId,
    row.createdAt,
    ...(aggregateType && row.aggregateType !== null ? [row.aggregateType] : []),
  ];
  const half = async (operator: string, direction: string): Promise<MessageRow[]> => {
    const sql = `WITH ${claimsCte(ref)} SELECT ${tableRowColumns(ref)} FROM ${fromTable(ref)} WHERE ${same} AND ${created} ${operator} ${bound}
       ORDER BY ${created} ${direction} LIMIT ${NEIGHBOURS_EACH_WAY + 1}`;
    if (await wouldScan(client, sql, values)) return [];
    return (await client.query<MessageRow>(sql, values)).rows;
  };
  const earlier = (await half("<=", "DESC")).reverse();
  const later = await half(">", "ASC");
  const all = [...earlier, ...later];
  return all.some((neighbour) => neighbour.id === row.id) ? all : [...earlier, row, ...later];
}

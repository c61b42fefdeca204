import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import { columnSql } from "../tables/mapping-sql.ts";

/**
 * The columns that order first deliveries, as SQL over one row `o`: the sequence alone, or the creation time and then
 * the id. With the id after a sequence every read would sort.
 */
export function orderSql(mapping: OutboxMapping) {
  const order = orderColumn(mapping);
  const alone = mapping.columns.order !== undefined || order.name === mapping.columns.id.name;
  const mapped = alone ? [order] : [order, mapping.columns.id];
  return { mapped, columns: mapped.map((column) => columnSql(column, "o")) };
}

import type { MappedColumn, OutboxMapping } from "../../port/mapping.ts";

/** The leading column of the delivery order: the first that exists of order column, creation time and id. */
export function orderColumn({ columns }: Pick<OutboxMapping, "columns">): MappedColumn {
  return columns.order ?? columns.createdAt ?? columns.id;
}

import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import { literalFor } from "../literals.ts";
import { orderSql } from "../order-sql.ts";
import { textSql } from "../read-row.ts";
import type { StatementContext } from "../relay-context.ts";

/** The columns of the position of row `o`, as in a message. */
export function positionOf({ mapping }: StatementContext): string[] {
  return [orderColumn(mapping), mapping.columns.id].map(textSql);
}

/**
 * Rows from a position on, itself included. Written out, because no index is searched for a comparison of rows:
 * `(a, b) >= (x, y)`.
 */
export function fromPosition({ mapping }: StatementContext, after: OrderKey | null): string[] {
  return after === null ? [] : boundedBy(mapping, after, ">");
}

/** Rows up to a position, itself included. */
export function upToPosition({ mapping }: StatementContext, last: OrderKey): string[] {
  return boundedBy(mapping, last, "<");
}

/** Rows before a position. */
export function beforePosition(context: StatementContext, position: OrderKey): string[] {
  const { mapped, columns } = orderSql(context.mapping);
  const same = columns.map(
    (sql, index) => `${sql} = ${literalFor(mapped[index] ?? { type: "" }, position[index] ?? "")}`,
  );
  return [...upToPosition(context, position), `NOT (${same.join(" AND ")})`];
}

function boundedBy(mapping: StatementContext["mapping"], position: OrderKey, side: ">" | "<"): string[] {
  const { mapped, columns } = orderSql(mapping);
  const [first, second] = mapped.map((column, index) => literalFor(column, position[index] ?? ""));
  const least = `${columns[0]} ${side}= ${first}`;
  return second === undefined
    ? [least]
    : [least, `(${columns[0]} ${side} ${first} OR ${columns[1]} ${side}= ${second})`];
}

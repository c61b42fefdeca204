import type { Adapter } from "../sql/adapter.ts";
import { cells } from "../sql/cells.ts";
import { equalsSql, nameOf, textSql, valueSql } from "../sql/columns.ts";
import { type RawSql, type Statement, sql } from "../sql/statement.ts";
import { type InboxTable, isConsumer, type MessageKey, tableOf } from "./mark.ts";

/**
 * Place of a message among those of its aggregate that this consumer has processed. `missing`: numbers between it and
 * the one before; `late`: a higher number was processed first. Reasons why the place is unknown: `not_watched`: the
 * inbox keeps no numbers (`watchOrder`). `no_sequence`, `no_aggregate`: the message has none. `nothing_earlier`: the
 * inbox has no lower number, because none came or because old rows were removed. `older_view`: lower numbers are
 * missing in the transaction of the caller, which may not see what was committed meanwhile.
 */
export type MessageOrder =
  | { known: true; sequence: number; missing: { from: number; to: number } | null; late: boolean }
  | { known: false; why: "not_watched" | "no_sequence" | "no_aggregate" | "nothing_earlier" | "older_view" };

/** Call it in the message's transaction. A number that another transaction is processing counts as missing. */
export async function readOrder<Tx, Db>(table: InboxTable<Tx, Db>, tx: Tx, key: MessageKey): Promise<MessageOrder> {
  if (!table.layout.numbers) return { known: false, why: "not_watched" };
  if (key.sequence === null) return { known: false, why: "no_sequence" };
  if (key.aggregateType === null || key.aggregateId === null) return { known: false, why: "no_aggregate" };
  const { sequence } = key;
  const before = await neighbour(table, tx, key, "before");
  const late = (await neighbour(table, tx, key, "after")) !== null;
  if (before === null && sequence > 1) return { known: false, why: "nothing_earlier" };
  const last = before ?? 0;
  const missing = last + 1 < sequence ? { from: last + 1, to: sequence - 1 } : null;
  return { known: true, sequence, missing, late };
}

/** The order as `onceIn` knows it: the caller's transaction may have begun before another delivery was committed. */
export async function ofCallersView<Tx, Db>(via: Adapter<Tx, Db>, tx: Tx, order: MessageOrder): Promise<MessageOrder> {
  if (!order.known || order.missing === null || (await seesTheLatest(via, tx))) return order;
  return { known: false, why: "older_view" };
}

/** MySQL does not say which isolation the open transaction has, and its default shows an older view. */
async function seesTheLatest<Tx, Db>(via: Adapter<Tx, Db>, tx: Tx): Promise<boolean> {
  if (via.dialect === "mysql") return false;
  const { rows } = await via.run(tx, sql`SELECT current_setting('transaction_isolation') AS isolation`);
  return rows[0] !== undefined && cells(rows[0])[0] === "read committed";
}

/** The nearest number that was processed, found at one end of the index. */
async function neighbour<Tx, Db>(
  table: InboxTable<Tx, Db>,
  tx: Tx,
  { aggregateType, aggregateId, sequence }: MessageKey,
  side: "before" | "after",
): Promise<number | null> {
  const { via, layout } = table;
  if (!layout.numbers) return null;
  const { numbers, failures } = layout;
  const number: RawSql = nameOf(numbers.sequence, via.dialect);
  const equals = (column: keyof typeof numbers, text: string | null): Statement =>
    equalsSql(numbers[column], text ?? "", via.dialect);
  const own = valueSql(String(sequence), numbers.sequence, via.dialect);
  const beyond = side === "before" ? sql`${number} < ${own}` : sql`${number} > ${own}`;
  const direction = side === "before" ? sql`${number} DESC` : sql`${number}`;
  const processed = failures ? sql` AND ${nameOf(failures.processedAt, via.dialect)} IS NOT NULL` : sql``;
  const { rows } = await via.run(
    tx,
    sql`SELECT ${textSql(number, via.dialect)} AS nearest_number FROM ${tableOf(table)}
        WHERE ${isConsumer(table)}${equals("aggregateType", aggregateType)} AND ${equals("aggregateId", aggregateId)}
          AND ${beyond}${processed} ORDER BY ${direction} LIMIT 1`,
  );
  return rows[0] === undefined ? null : Number(cells(rows[0])[0]);
}

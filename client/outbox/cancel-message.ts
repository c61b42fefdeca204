import { ClientError } from "../errors.ts";
import type { Adapter } from "../sql/adapter.ts";
import { cells } from "../sql/cells.ts";
import { type Column, equalsSql, instantSql, nameOf, textSql } from "../sql/columns.ts";
import { quoteTable } from "../sql/names.ts";
import { join, type Statement, sql } from "../sql/statement.ts";
import type { OutboxLayout } from "./layout.ts";

/**
 * `cancelled`: the row is gone once the transaction commits; a commit after `dueInMs` from the call may come too late.
 * `taken`: it is due, was sent, or has failed before: a relay may be sending it. `absent`: no row has this id.
 */
export type CancelResult = { outcome: "cancelled"; dueInMs: number } | { outcome: "taken" } | { outcome: "absent" };

/** A message that is due sooner counts as taken: the transaction has yet to commit. */
const MARGIN_MS = 1000;

/**
 * Deletes a message that is not yet due. No relay reads such a row. A relay may already publish a due row, without a
 * lock on it, so its deletion would not stop it. Race: a commit after the due time; hence `dueInMs`.
 */
export async function cancelMessage<Tx, Db>(
  { via, tx, layout }: { via: Adapter<Tx, Db>; tx: Tx; layout: OutboxLayout },
  id: string,
): Promise<CancelResult> {
  const { dialect } = via;
  const { id: key, availableAt } = layout.columns;
  if (!key || !availableAt)
    throw new ClientError("invalid_input", "cancel needs columns for the roles id and availableAt.");
  const table = quoteTable(layout.table, dialect);
  const isIt =
    key.type === "generated" ? sql`${nameOf(key, dialect)} = ${numberSql(id, dialect)}` : equalsSql(key, id, dialect);
  const found = await via.run(
    tx,
    sql`SELECT ${waits(layout, dialect)} AS waits, ${textSql(dueIn(availableAt, dialect), dialect)} AS due_in_ms
        FROM ${table} WHERE ${isIt} FOR UPDATE`,
  );
  const [row] = found.rows;
  if (!row) return { outcome: "absent" };
  const [isWaiting, due] = cells(row);
  const dueInMs = Number(due ?? 0);
  if (!isTrue(isWaiting) || !(dueInMs > MARGIN_MS)) return { outcome: "taken" };
  if (dialect === "mysql") await via.run(tx, sql`DELETE FROM ${table} WHERE ${isIt}`);
  else await deleteInPostgres(via, tx, sql`DELETE FROM ${table} WHERE ${isIt}`);
  return { outcome: "cancelled", dueInMs };
}

/**
 * Race: a `cancel` that is not awaited runs after the rollback of its transaction, and would delete the event outside
 * it. The lock of the SELECT has given its transaction an id; the DELETE does nothing in a transaction that has none
 * yet.
 */
async function deleteInPostgres<Tx, Db>(via: Adapter<Tx, Db>, tx: Tx, deletion: Statement): Promise<void> {
  const { rows } = await via.run(
    tx,
    sql`${deletion} AND txid_current_if_assigned() IS NOT NULL RETURNING 1 AS deleted`,
  );
  if (rows.length === 0)
    throw new ClientError(
      "not_in_transaction",
      `This ${via.name} handle has no open transaction any more, so nothing was cancelled. Await cancel before it ends.`,
    );
}

/** Ids that the database generates are numbers, here as digits. */
function numberSql(id: string, dialect: "postgres" | "mysql"): Statement {
  if (!/^\d+$/.test(id)) throw new ClientError("invalid_input", `${JSON.stringify(id)} is no id of this outbox.`);
  return dialect === "mysql" ? sql`${id}` : sql`CAST(CAST(${id} AS text) AS bigint)`;
}

/** Condition: nothing in the row shows that it was sent or tried. */
function waits({ columns, lifecycle }: OutboxLayout, dialect: "postgres" | "mysql"): Statement {
  const conditions = [sql`1 = 1`];
  if (columns.publishedAt) conditions.push(sql`${nameOf(columns.publishedAt, dialect)} IS NULL`);
  if (columns.attempts) conditions.push(sql`COALESCE(${nameOf(columns.attempts, dialect)}, 0) = 0`);
  if (columns.status && lifecycle) {
    conditions.push(isPending(columns.status, lifecycle.pending, dialect));
  }
  return sql`(${join(conditions, " AND ")})`;
}

function isPending(column: Column, pending: readonly (string | null)[], dialect: "postgres" | "mysql"): Statement {
  const status = nameOf(column, dialect);
  const compared = column.type === "text" ? sql`${status}` : textSql(status, dialect);
  const words = pending.flatMap((word) => (word === null ? [] : [sql`${word}`]));
  const ways = [
    ...(pending.includes(null) ? [sql`${status} IS NULL`] : []),
    ...(words.length > 0 ? [sql`${compared} IN (${join(words, ", ")})`] : []),
  ];
  return sql`(${join(ways, " OR ")})`;
}

/** Whole milliseconds until the due time, by the database's clock; null without a due time. */
function dueIn(column: Column, dialect: "postgres" | "mysql"): Statement {
  const name = nameOf(column, dialect);
  const now = instantSql(column, dialect);
  switch (column.type) {
    case "epoch-ms":
      return sql`(${name} - ${now})`;
    case "epoch-s":
      return sql`((${name} - ${now}) * 1000)`;
    case "compact-text":
      throw new ClientError("invalid_input", `cancel cannot compare ${column.name}, a time as text.`);
    default:
      return dialect === "mysql"
        ? sql`(TIMESTAMPDIFF(MICROSECOND, ${now}, ${name}) DIV 1000)`
        : sql`floor(extract(epoch FROM ${name} - ${now}) * 1000)`;
  }
}

function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === "1" || value === "t" || value === "true" || value === 1n;
}

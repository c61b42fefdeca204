import { ClientError } from "../errors.ts";
import type { Adapter } from "../sql/adapter.ts";
import { cells } from "../sql/cells.ts";
import { nameOf, textSql } from "../sql/columns.ts";
import { type Statement, sql } from "../sql/statement.ts";
import { insertOf } from "./insert-statement.ts";
import type { OutboxLayout } from "./layout.ts";
import type { NewMessage } from "./new-message.ts";

export interface Target<Tx, Db> {
  via: Adapter<Tx, Db>;
  tx: Tx;
  layout: OutboxLayout;
}

export interface Inserted {
  /** Rows written; fewer than there are messages if messages with the given ids exist. */
  count: number;
  /** The ids of the rows, of which the database generated one or the caller gave all; empty otherwise. */
  ids: readonly string[];
}

/** Only a transaction that has written has an id; it then has several statements. */
const IS_OPEN = sql`txid_current_if_assigned() IS NOT NULL`;

/**
 * Writes messages in a transaction of several statements, or not at all. Race: an `add` that is not awaited reaches its
 * INSERT after its transaction has ended and before the handle knows it, and would be committed alone. So the INSERT
 * itself checks the transaction's id. A transaction without writes gets its id from a SELECT of ours, after which the
 * INSERT is tried again; outside a transaction that id ends with the SELECT.
 */
export async function insertInPostgres<Tx, Db>(
  target: Target<Tx, Db>,
  messages: readonly NewMessage[],
): Promise<Inserted> {
  const { via, tx, layout } = target;
  const statement = statementOf(layout, messages);
  const attempt = async (): Promise<Inserted | null> => {
    const { rows } = await via.run(tx, statement);
    const [isOpen, written, ids] = cells(rows[0] ?? {});
    if (Number(isOpen) === 0) return null;
    if (Number(isOpen) !== 1) throw new Error(`The adapter of ${via.name} did not give the answer of the INSERT.`);
    // A trigger may write the row elsewhere, and then no row is returned. So only a given id can mean that it exists
    // already.
    const count = messages[0]?.givenId ? Number(written) : messages.length;
    return { count, ids: ids == null ? [] : JSON.parse(String(ids)) };
  };
  const inserted = await attempt();
  if (inserted) return inserted;
  await via.run(tx, sql`SELECT CAST(txid_current() AS text) AS id`);
  const insertedNow = await attempt();
  if (insertedNow) return insertedNow;
  throw new ClientError(
    "not_in_transaction",
    `This ${via.name} handle has no open transaction, so the event would have been written alone, and was not. Begin one first, and await add before it ends.`,
  );
}

/**
 * One row: whether a transaction was open, how many rows were written, and the ids that the database made or the caller
 * gave.
 */
function statementOf(layout: OutboxLayout, messages: readonly NewMessage[]): Statement {
  const { into, values } = insertOf(layout, "postgres", messages);
  const { id } = layout.columns;
  const isGiven = messages[0]?.givenId ?? false;
  const conflict = id && isGiven ? sql` ON CONFLICT (${nameOf(id, "postgres")}) DO NOTHING` : sql``;
  const made =
    id && (isGiven || id.type === "generated") ? textSql(nameOf(id, "postgres"), "postgres") : sql`CAST(NULL AS text)`;
  return sql`WITH transaction AS (SELECT ${IS_OPEN} AS is_open),
    written AS (
      ${into} SELECT * FROM (${values}) AS event WHERE (SELECT is_open FROM transaction)${conflict} RETURNING ${made} AS id
    )
    SELECT CASE WHEN is_open THEN 1 ELSE 0 END AS is_open,
      ${textSql(sql`(SELECT count(*) FROM written)`, "postgres")} AS count,
      (SELECT CAST(json_agg(id) AS text) FROM written WHERE id IS NOT NULL) AS ids FROM transaction`;
}

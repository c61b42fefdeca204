import { ClientError } from "../errors.ts";
import type { Adapter } from "../sql/adapter.ts";
import { nameOf } from "../sql/columns.ts";
import { type Statement, sql } from "../sql/statement.ts";
import { type Insert, insertOf } from "./insert-statement.ts";
import type { OutboxLayout } from "./layout.ts";
import type { NewMessage } from "./new-message.ts";

export interface Target<Tx, Db> {
  via: Adapter<Tx, Db>;
  tx: Tx;
  layout: OutboxLayout;
}

export interface Inserted {
  /** Rows written; 0 if a message of the given id is there. */
  count: number;
  /** The last id that the database made. */
  id: string | null;
}

/** Only a transaction that has written has an id, and it has several statements then. */
const IS_OPEN = sql`txid_current_if_assigned() IS NOT NULL`;

/**
 * Writes messages in a transaction of several statements, or not at all. Race: an `add` that nobody awaits comes to its INSERT
 * when its transaction has ended and the handle does not know it yet; it would be committed alone. So the INSERT itself asks
 * for the transaction's id. One that has written nothing gets its id from a statement of ours; alone, that takes it along.
 */
export async function insertInPostgres<Tx, Db>(
  target: Target<Tx, Db>,
  messages: readonly NewMessage[],
): Promise<Inserted> {
  const { via, tx, layout } = target;
  const insert = insertOf(layout, "postgres", messages);
  const attempt = messages[0]?.givenId ? () => insertOnce(target, insert) : () => insertAll(target, insert);
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

/** Null if nothing was written because no transaction is open. */
async function insertAll<Tx, Db>({ via, tx, layout }: Target<Tx, Db>, insert: Insert): Promise<Inserted | null> {
  const { id } = layout.columns;
  const made = id?.type === "generated" ? sql`CAST(${nameOf(id, "postgres")} AS text)` : sql`1`;
  const { rows } = await via.run(tx, sql`${conditional(insert, IS_OPEN)} RETURNING ${made} AS id`);
  return rows.length === 0 ? null : { count: rows.length, id: String(rows.at(-1)?.id) };
}

/** The same for one message whose id may be there already, which writes nothing either. */
async function insertOnce<Tx, Db>({ via, tx, layout }: Target<Tx, Db>, insert: Insert): Promise<Inserted | null> {
  const { id } = layout.columns;
  const conflict = id ? sql`ON CONFLICT (${nameOf(id, "postgres")}) DO NOTHING` : sql``;
  const { rows } = await via.run(
    tx,
    sql`WITH transaction AS (SELECT ${IS_OPEN} AS is_open),
      written AS (${conditional(insert, sql`(SELECT is_open FROM transaction)`)} ${conflict} RETURNING 1)
      SELECT CASE WHEN is_open THEN 1 ELSE 0 END AS is_open, (SELECT count(*) FROM written) AS count FROM transaction`,
  );
  return Number(rows[0]?.is_open) === 1 ? { count: Number(rows[0]?.count), id: null } : null;
}

const conditional = ({ into, values }: Insert, condition: Statement): Statement =>
  sql`${into} SELECT * FROM (${values}) AS event WHERE ${condition}`;

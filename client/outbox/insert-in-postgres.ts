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

/** The transaction's own time: two statements with the same are in one transaction. */
const BEGAN = sql`to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSUS')`;

/**
 * Writes messages in a transaction of several statements, or not at all. Race: an `add` that nobody awaits comes to its INSERT
 * when its transaction has ended and the handle does not know it yet; it would be committed alone. So the INSERT itself asks:
 * a transaction that has written has an id. For one that has not, the next two statements tell whether they share one.
 */
export async function insertInPostgres<Tx, Db>(
  target: Target<Tx, Db>,
  messages: readonly NewMessage[],
): Promise<Inserted> {
  const { via, tx, layout } = target;
  const insert = insertOf(layout, "postgres", messages);
  const isGiven = messages[0]?.givenId ?? false;
  const insertIf = async (isOpen: Statement): Promise<Inserted | null> => {
    const { rows } = await via.run(tx, statementIf(isOpen, layout, { insert, isGiven }));
    const [row] = rows;
    if (Number(row?.is_open) !== 1) return null;
    return { count: Number(row?.count), id: row?.id === null || row?.id === undefined ? null : String(row.id) };
  };
  const inserted = await insertIf(sql`txid_current_if_assigned() IS NOT NULL`);
  if (inserted) return inserted;
  const { rows } = await via.run(tx, sql`SELECT ${BEGAN} AS began`);
  const insertedNow = await insertIf(sql`${BEGAN} = CAST(${String(rows[0]?.began)} AS text)`);
  if (insertedNow) return insertedNow;
  throw new ClientError(
    "not_in_transaction",
    `This ${via.name} handle has no open transaction, so the event would have been written alone, and was not. Begin one first, and await add before it ends.`,
  );
}

function statementIf(
  isOpen: Statement,
  { columns: { id } }: OutboxLayout,
  { insert, isGiven }: { insert: Insert; isGiven: boolean },
): Statement {
  const conflict = id && isGiven ? sql` ON CONFLICT (${nameOf(id, "postgres")}) DO NOTHING` : sql``;
  const made = id?.type === "generated" ? sql`CAST(${nameOf(id, "postgres")} AS text)` : sql`CAST(NULL AS text)`;
  return sql`WITH transaction AS (SELECT ${isOpen} AS is_open),
    written AS (
      ${insert.into} SELECT * FROM (${insert.values}) AS event WHERE (SELECT is_open FROM transaction)${conflict}
      RETURNING ${made} AS id
    )
    SELECT CASE WHEN is_open THEN 1 ELSE 0 END AS is_open,
      (SELECT count(*) FROM written) AS count, (SELECT max(id) FROM written) AS id FROM transaction`;
}

import { ClientError } from "../errors.ts";
import { sql } from "../sql/statement.ts";
import { type InboxTable, isMessage, namesOf, tableOf } from "./mark.ts";

/** Releases a parked message. False if it is not parked. */
export async function releaseMessage<Tx, Db>(table: InboxTable<Tx, Db>, db: Db, id: string): Promise<boolean> {
  if (!table.layout.failures)
    throw new ClientError("invalid_input", `${table.layout.table} counts no failures, so nothing is parked in it.`);
  const { via } = table;
  const { attempts, parkedAt, processedAt } = namesOf(table);
  return via.transaction(db, async (tx) => {
    const parked = sql`${isMessage(table, id)} AND ${parkedAt} IS NOT NULL AND ${processedAt} IS NULL`;
    const { rows } = await via.run(tx, sql`SELECT 1 AS found FROM ${tableOf(table)} WHERE ${parked} FOR UPDATE`);
    if (rows.length === 0) return false;
    await via.run(tx, sql`UPDATE ${tableOf(table)} SET ${parkedAt} = NULL, ${attempts} = 0 WHERE ${parked}`);
    return true;
  });
}

import { type SQL, sql } from "drizzle-orm";
import type { MySqlTable } from "drizzle-orm/mysql-core";
import { listOf } from "#db/stores/shared/tables/list-of.ts";
import { AppError } from "#domain/errors.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import type { Session } from "../connection/session.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { orConflict, readRowImage, writableColumns } from "../tables/row-image.ts";

interface Copy {
  from: MySqlTable;
  to: MySqlTable;
  /** Condition over row `t` that selects the row, in either table. */
  byKey: SQL;
}

/**
 * Copies a row between the outbox table and the team's archive table, and compares the images of both. False if there
 * is no such row. Throws conflict if the id is there already or the other table changes a value.
 */
export async function copyRow(session: Session, mapping: OutboxMapping, { from, to, byKey }: Copy): Promise<boolean> {
  const rowImage = await readRowImage(session, mapping);
  const names = listOf(writableColumns(rowImage).map(({ name }) => sql`${sql.identifier(name)}`));
  const { rows } = outboxTable(mapping);
  // The lock keeps the row as it is until it is deleted.
  const copy = sql`INSERT INTO ${to} (${names}) SELECT ${names} FROM ${from} ${rows} WHERE ${byKey} FOR UPDATE`;
  let copied = 0;
  await orConflict(async () => {
    copied = (await session.run(copy)).affectedRows;
  });
  if (copied === 0) return false;
  const imageIn = (table: MySqlTable) =>
    sql`(SELECT CAST(${rowImage.image} AS BINARY) FROM ${table} ${rows} WHERE ${byKey})`;
  const [same] = await session.rows(sql`SELECT ${imageIn(from)} = ${imageIn(to)}`);
  if (same?.[0] !== "1")
    throw new AppError("conflict", "The other table would not take the row as it is: nothing was moved.");
  return true;
}

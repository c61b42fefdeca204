import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { OutboxMapping, TableName } from "#db/stores/port/mapping.ts";
import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import { listOf } from "#db/stores/shared/tables/list-of.ts";
import { AppError } from "#domain/errors.ts";
import { queryOn } from "../connection/query-on.ts";
import { outboxTable, tableNamed } from "./outbox-table.ts";
import { writableColumns } from "./row-image.ts";

/**
 * Copies rows of the outbox table into the team's archive table, and compares the images of the rows that were written:
 * a trigger or a rule may leave a row out, and a column of another type changes its value. `byKey`: condition over row
 * `t` that selects the rows. Throws conflict unless every row was written as it is; the transaction must then be rolled
 * back.
 */
export async function copyToTeamArchive(
  client: PoolClient,
  mapping: OutboxMapping,
  { to, byKey }: { to: TableName; byKey: SQL },
): Promise<void> {
  const { table, rows } = outboxTable(mapping);
  const names = (await writableColumns(client, mapping)).map(({ name }) => name);
  const columns = listOf(names);
  const kept = listOf(names.map((name) => sql`${rows}.${name}`));
  const image = sql`(SELECT row_to_json(kept)::text FROM (SELECT ${kept}) kept)`;
  const copied = sql`INSERT INTO ${tableNamed(to)} AS ${rows} (${columns}) OVERRIDING SYSTEM VALUE
    SELECT ${columns} FROM ${table} ${rows} WHERE ${byKey} RETURNING ${image} AS image`;
  const changed = sql`WITH copied AS (${copied})
    SELECT image FROM (SELECT ${image} AS image FROM ${table} ${rows} WHERE ${byKey}) present
    EXCEPT ALL SELECT image FROM copied LIMIT 1`;
  const { rows: different } = await orConflict(to, () => queryOn(client).execute(changed));
  if (different.length > 0)
    throw notTaken(
      to,
      "It leaves a row out or changes a value: compare its columns, triggers and rules with the outbox's",
    );
}

/**
 * SQLSTATEs with which a table refuses a row: rules, values, constraints, triggers, types. Their messages may quote the
 * row.
 */
const REFUSALS = /^(?:0A|22|23|44|P0)|^42804$/;

async function orConflict<Result>(to: TableName, copy: () => Promise<Result>): Promise<Result> {
  try {
    return await copy();
  } catch (error) {
    const code = errorCode(error) ?? "";
    if (!REFUSALS.test(code)) throw error;
    throw notTaken(to, `The database refuses it with SQLSTATE ${code}`);
  }
}

function notTaken(to: TableName, why: string): AppError {
  return new AppError(
    "conflict",
    `The archive table ${to.schema}.${to.name} does not take the row as it is, so nothing was moved. ${why}.`,
  );
}

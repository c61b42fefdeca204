import { sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import { AppError } from "#domain/errors.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { toStored } from "../catalog/stored-fingerprint.ts";
import { queryOn } from "../connection/query-on.ts";
import { mappingHolds, stillAccepted } from "../tables/mapping-holds.ts";

/** The check locks the table, so nothing the caller depends on changes before the commit. Throws wrong_state. */
export async function requireAcceptedTable(client: PoolClient, { accepted, name }: OutboxRef): Promise<void> {
  if (!accepted) return;
  const still = stillAccepted(sql`${name}`, sql`${JSON.stringify(toStored(accepted))}`);
  const { rows } = await queryOn(client).execute<{ holds: boolean }>(
    sql`SELECT ${mappingHolds(accepted)} AND ${still} AS holds`,
  );
  if (rows[0]?.holds) return;
  throw new AppError(
    "wrong_state",
    `The table of outbox ${name} no longer fits the mapping that was accepted: nothing was changed. \`${ourCommand("doctor")}\` says what is different.`,
  );
}

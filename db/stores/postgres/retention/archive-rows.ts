import { sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import { keyColumns } from "#db/stores/port/message-id.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { FAILURES } from "#db/stores/shared/act/moved-columns.ts";
import { queryOn } from "../connection/query-on.ts";
import { archive, delivery } from "../own-schema/schema.ts";
import { carriedFrom, insertSelect } from "../tables/insert-select.ts";
import { arrayParameters, keyMatch, messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { imageSurvives, summaryOfRow } from "../tables/row-image.ts";
import { d, onDelivery } from "../tables/states/message-state.ts";
import { copyToTeamArchive } from "../tables/team-archive.ts";

/** Copies rows into the archive as exact images; into the team's archive table where the shape has one. */
export async function copyToArchive(client: PoolClient, ref: OutboxRef, ids: readonly string[]): Promise<void> {
  const { mapping } = ref;
  const outbox = outboxTable(mapping);
  const { table, rows } = outbox;
  const byKey = keyMatch(outbox, arrayParameters(keyColumns(ids, mapping.primaryKey.length)));
  const values = {
    outbox: sql`${ref.name}`,
    messageId: messageId(outbox),
    ...summaryOfRow(mapping),
    ...(mapping.archiveTable ? { image: sql`NULL::json` } : {}),
    ...carriedFrom(delivery, FAILURES, "d"),
    attempts: sql`coalesce(${d.attempts}, 0)`,
    stateBefore: sql`'published'`,
    archivedBy: sql`'retention'`,
    reason: sql`'retention'`,
  };
  const from = sql`FROM ${table} ${rows} LEFT JOIN ${delivery} ${d} ON ${onDelivery(ref)} WHERE ${byKey}`;
  const db = queryOn(client);
  await db.execute(insertSelect(archive, values, from));
  if (mapping.archiveTable) await copyToTeamArchive(client, mapping, { to: mapping.archiveTable, byKey });
}

/** Of these rows, those that can be restored unchanged. Halves a batch until the others are alone. */
export async function restorable(client: PoolClient, ref: OutboxRef, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  if (await imageSurvives(client, ref.mapping, keyColumns(ids, ref.mapping.primaryKey.length))) return [...ids];
  if (ids.length === 1) return [];
  const middle = Math.ceil(ids.length / 2);
  return [
    ...(await restorable(client, ref, ids.slice(0, middle))),
    ...(await restorable(client, ref, ids.slice(middle))),
  ];
}

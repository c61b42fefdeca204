import { and, eq, sql } from "drizzle-orm";
import { keyColumns } from "#db/stores/port/message-id.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { FAILURES } from "#db/stores/shared/act/moved-columns.ts";
import { copyRow } from "../act/copy-row.ts";
import type { Session } from "../connection/session.ts";
import { exact, NOW } from "../tables/column-values.ts";
import { columnsOf, insertSelect } from "../tables/insert-select.ts";
import { keyMatch, messageId } from "../tables/message-key.ts";
import { outboxTable, tableNamed } from "../tables/outbox-table.ts";
import { imageSurvives, readRowImage, summaryOfRow } from "../tables/row-image.ts";
import { deliveryOf } from "../tables/states/message-state.ts";

/** Copies rows into the archive as exact images; into the team's archive table where the shape has one. */
export async function copyToArchive(session: Session, ref: OutboxRef, ids: readonly string[]): Promise<void> {
  const { mapping } = ref;
  const outbox = outboxTable(mapping);
  const { table, rows } = outbox;
  const { archive, delivery } = session.own;
  const d = deliveryOf(session.own);
  const { image } = await readRowImage(session, mapping);
  const values = {
    outbox: sql`${ref.name}`,
    messageId: messageId(outbox),
    ...summaryOfRow(mapping, mapping.archiveTable ? sql`NULL` : image),
    ...columnsOf(d, FAILURES),
    attempts: sql`COALESCE(${d.attempts}, 0)`,
    stateBefore: sql`'published'`,
    archivedAt: NOW,
    archivedBy: sql`'retention'`,
    reason: sql`'retention'`,
  };
  const ofDelivery = and(eq(d.outbox, ref.name), sql`${d.messageId} = ${exact(messageId(outbox))}`);
  const byKey = keyMatch(outbox, keyColumns(ids, mapping.primaryKey.length));
  await session.run(
    insertSelect(
      archive,
      values,
      sql`FROM ${table} ${rows} LEFT JOIN ${delivery} ${d} ON ${ofDelivery} WHERE ${byKey}`,
    ),
  );
  if (!mapping.archiveTable) return;
  const to = tableNamed(mapping.archiveTable);
  for (const id of ids)
    await copyRow(session, mapping, {
      from: table,
      to,
      byKey: keyMatch(outbox, keyColumns([id], mapping.primaryKey.length)),
    });
}

/** Of these rows, those that can be restored unchanged. Halves a batch until the others are alone. */
export async function restorable(session: Session, ref: OutboxRef, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  if (await imageSurvives(session, ref.mapping, keyColumns(ids, ref.mapping.primaryKey.length))) return [...ids];
  if (ids.length === 1) return [];
  const middle = Math.ceil(ids.length / 2);
  return [
    ...(await restorable(session, ref, ids.slice(0, middle))),
    ...(await restorable(session, ref, ids.slice(middle))),
  ];
}

import { and, eq, isNotNull, ne, type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import { DEAD_LETTER_COLUMNS, DELIVERY_COLUMNS } from "#db/stores/shared/act/moved-columns.ts";
import type { FoundMessage } from "#db/stores/shared/read/found-message.ts";
import { AppError } from "#domain/errors.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { queryOn } from "../connection/query-on.ts";
import { archive, deadLetter, delivery, restored } from "../own-schema/schema.ts";
import { keyIs } from "../read/find-message.ts";
import { carriedFrom, insertSelect } from "../tables/insert-select.ts";
import { keyArrays } from "../tables/message-key.ts";
import { outboxTable, tableNamed } from "../tables/outbox-table.ts";
import { imageOf, insertImages } from "../tables/row-image.ts";
import type { Verb } from "./verb.ts";

interface ArchivedRow {
  image: string | null;
  stateBefore: string;
  fromDeadLetters: boolean;
}

/** Puts an archived message back where it was, in its former state. Throws conflict if its id exists again. */
export const restoreMessage: Verb = async (client, ref, found) => {
  const archived = await readArchived(client, ref, found);
  if (archived.fromDeadLetters && archived.image !== null) {
    const from = sql`FROM ${archive} WHERE ${archivedOf(ref, found)}`;
    await queryOn(client).execute(insertSelect(deadLetter, carriedFrom(archive, DEAD_LETTER_COLUMNS, "archive"), from));
  } else {
    await insertImages(client, ref.mapping, [archived.image ?? (await takeFromNativeArchive(client, ref, found))]);
    await bringFailuresBack(client, ref, found);
    await rememberRestored(client, ref, found);
  }
  await queryOn(client).delete(archive).where(archivedOf(ref, found));
  return `Restored as ${archived.stateBefore}.`;
};

function archivedOf({ name }: OutboxRef, { row }: FoundMessage): SQL | undefined {
  return and(eq(archive.outbox, name), eq(archive.messageId, row.id));
}

/** A relay that reads the log sees this insert; the record stops it from publishing the row as new. */
async function rememberRestored(client: PoolClient, ref: OutboxRef, found: FoundMessage): Promise<void> {
  const at = sql`clock_timestamp()`;
  await queryOn(client)
    .insert(restored)
    .values({ outbox: ref.name, messageId: found.row.id, at })
    .onConflictDoUpdate({ target: [restored.outbox, restored.messageId], set: { at } });
}

/** Restores the delivery row with its failures. A dead message has no next attempt. */
async function bringFailuresBack(client: PoolClient, ref: OutboxRef, found: FoundMessage): Promise<void> {
  const values = {
    ...carriedFrom(archive, DELIVERY_COLUMNS, "archive"),
    aggregateKey: sql`coalesce(${archive.aggregateType} || '/', '') || ${archive.aggregateId}`,
  };
  const failed = and(archivedOf(ref, found), ne(archive.stateBefore, "published"), isNotNull(archive.lastFailedAt));
  await queryOn(client).execute(
    sql`${insertSelect(delivery, values, sql`FROM ${archive} WHERE ${failed}`)} ON CONFLICT (outbox, message_id) DO NOTHING`,
  );
}

async function readArchived(client: PoolClient, ref: OutboxRef, found: FoundMessage): Promise<ArchivedRow> {
  const [row] = await queryOn(client)
    .select({
      image: sql<string | null>`${archive.image}::text`,
      stateBefore: archive.stateBefore,
      fromDeadLetters: sql<boolean>`${archive.stateBefore} = 'dead' AND ${archive.deadAt} IS NOT NULL`,
    })
    .from(archive)
    .where(archivedOf(ref, found))
    .for("update");
  if (!row) throw new AppError("not_found", "This message is not in the archive any more.");
  return row;
}

async function takeFromNativeArchive(client: PoolClient, ref: OutboxRef, found: FoundMessage): Promise<string> {
  const { archiveTable } = ref.mapping;
  const keys = keyArrays(ref.mapping, found.row.id);
  if (!archiveTable || !keys)
    throw new AppError("conflict", "The archived row no longer exists; nothing was restored.");
  const { table, rows } = outboxTable(ref.mapping);
  const taken = await queryOn(client).execute<{ image: string }>(
    sql`WITH gone AS (DELETE FROM ${tableNamed(archiveTable)} ${rows} WHERE ${keyIs(ref.mapping, keys)} RETURNING ${imageOf(ref.mapping)} AS image)
     SELECT row_to_json(json_populate_record(NULL::${table}, gone.image))::text AS image FROM gone`,
  );
  const image = taken.rows[0]?.image;
  if (!image)
    throw new AppError("conflict", "The archived row is no longer in the team's archive table; nothing was restored.");
  return image;
}

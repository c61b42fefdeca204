import { and, eq, isNotNull, ne, type SQL, sql } from "drizzle-orm";
import { DEAD_LETTER_COLUMNS, DELIVERY_COLUMNS } from "#db/stores/shared/act/moved-columns.ts";
import type { FoundMessage } from "#db/stores/shared/read/found-message.ts";
import { AppError } from "#domain/errors.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { requireMoved } from "../../shared/act/require-moved.ts";
import type { Session } from "../connection/session.ts";
import { keyIs } from "../read/find-message.ts";
import { asFlag, NOW } from "../tables/column-values.ts";
import { columnsOf, insertSelect } from "../tables/insert-select.ts";
import { keyArrays } from "../tables/message-key.ts";
import { outboxTable, tableNamed } from "../tables/outbox-table.ts";
import { insertImages } from "../tables/row-image.ts";
import { copyRow } from "./copy-row.ts";
import type { Verb } from "./verb.ts";

interface ArchivedRow {
  hasImage: boolean;
  stateBefore: string;
  fromDeadLetters: boolean;
}

/** Puts an archived message back where it was, in its former state. Throws conflict if its id exists again. */
export const restoreMessage: Verb = async (session, ref, found) => {
  const { archive, deadLetter } = session.own;
  const ofMessage = archivedOf(session, ref, found);
  const archived = await readArchived(session, ofMessage);
  if (archived.fromDeadLetters && archived.hasImage) {
    const from = sql`FROM ${archive} WHERE ${ofMessage}`;
    await session.run(insertSelect(deadLetter, columnsOf(archive, DEAD_LETTER_COLUMNS), from));
  } else {
    await bringBack(session, ref, found, archived);
    await bringFailuresBack(session, ofMessage);
    await rememberRestored(session, ref, found);
  }
  requireMoved((await session.run(sql`DELETE FROM ${archive} WHERE ${ofMessage}`)).affectedRows);
  return `Restored as ${archived.stateBefore}.`;
};

function archivedOf({ own: { archive } }: Session, { name }: OutboxRef, { row }: FoundMessage): SQL {
  return sql`${and(eq(archive.outbox, name), eq(archive.messageId, row.id))}`;
}

/** Records the restore, so that the message's version differs from before although its row is the same. */
async function rememberRestored(session: Session, ref: OutboxRef, found: FoundMessage): Promise<void> {
  await session.run(
    session.db
      .insert(session.own.restored)
      .values({ outbox: ref.name, messageId: found.row.id, at: NOW })
      .onDuplicateKeyUpdate({ set: { at: NOW } }),
  );
}

/** Restores the delivery row with its failures. A dead message has no next attempt. */
async function bringFailuresBack(session: Session, ofMessage: SQL): Promise<void> {
  const { archive, delivery } = session.own;
  const type = sql`CONCAT(CONVERT(${archive.aggregateType} USING utf8mb4), '/')`;
  const values = {
    ...columnsOf(archive, DELIVERY_COLUMNS),
    aggregateKey: sql`CONCAT(COALESCE(${type}, ''), CONVERT(${archive.aggregateId} USING utf8mb4))`,
  };
  const failed = and(ofMessage, ne(archive.stateBefore, "published"), isNotNull(archive.lastFailedAt));
  await session.run(
    sql`${insertSelect(delivery, values, sql`FROM ${archive} WHERE ${failed}`)} ON DUPLICATE KEY UPDATE ${delivery.outbox} = ${delivery.outbox}`,
  );
}

async function readArchived(session: Session, ofMessage: SQL): Promise<ArchivedRow> {
  const { archive } = session.own;
  const [row] = await session.db
    .select({
      hasImage: asFlag(sql`${archive.image} IS NOT NULL`),
      stateBefore: archive.stateBefore,
      fromDeadLetters: asFlag(sql`${archive.stateBefore} = 'dead' AND ${archive.deadAt} IS NOT NULL`),
    })
    .from(archive)
    .where(ofMessage)
    .for("update");
  if (!row) throw new AppError("not_found", "This message is not in the archive any more.");
  return row;
}

/** Inserts the row from its image, or from the team's archive table, which then loses it. */
async function bringBack(session: Session, ref: OutboxRef, found: FoundMessage, { hasImage }: ArchivedRow) {
  const { mapping } = ref;
  const { archive } = session.own;
  const keys = keyArrays(mapping, found.row.id);
  if (!keys) throw new AppError("conflict", "The archived row no longer exists; nothing was restored.");
  const byKey = keyIs(mapping, keys);
  if (hasImage) {
    const where = archivedOf(session, ref, found);
    return insertImages(session, mapping, { image: sql`${archive.image}`, from: sql`${archive}`, where, byKey });
  }
  if (!mapping.archiveTable) throw new AppError("conflict", "The archived row no longer exists; nothing was restored.");
  const { table, rows } = outboxTable(mapping);
  const from = tableNamed(mapping.archiveTable);
  if (!(await copyRow(session, mapping, { from, to: table, byKey })))
    throw new AppError("conflict", "The archived row is no longer in the team's archive table; nothing was restored.");
  await session.run(sql`DELETE ${rows} FROM ${from} ${rows} WHERE ${byKey}`);
}

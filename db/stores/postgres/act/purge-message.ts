import { and, eq, sql } from "drizzle-orm";
import { AppError } from "#domain/errors.ts";
import { PURGED } from "../../shared/act/act-sentences.ts";
import { queryOn } from "../connection/query-on.ts";
import { archive } from "../own-schema/schema.ts";
import { keyIs } from "../read/find-message.ts";
import { keyArrays } from "../tables/message-key.ts";
import { outboxTable, tableNamed } from "../tables/outbox-table.ts";
import type { Verb } from "./verb.ts";

/** Deletes an archived message for good, also from the team's archive table if it is there. */
export const purgeMessage: Verb = async (client, { name, mapping }, found) => {
  const db = queryOn(client);
  const [gone] = await db
    .delete(archive)
    .where(and(eq(archive.outbox, name), eq(archive.messageId, found.row.id)))
    .returning({ isNative: sql<boolean>`${archive.image} IS NULL` });
  if (!gone) throw new AppError("not_found", "This message is not in the archive any more.");
  const keys = keyArrays(mapping, found.row.id);
  if (gone.isNative && mapping.archiveTable && keys) {
    const { rows } = outboxTable(mapping);
    await db.execute(sql`DELETE FROM ${tableNamed(mapping.archiveTable)} ${rows} WHERE ${keyIs(mapping, keys)}`);
  }
  return PURGED;
};

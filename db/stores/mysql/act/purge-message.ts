import { and, eq, sql } from "drizzle-orm";
import { AppError } from "#domain/errors.ts";
import { PURGED } from "../../shared/act/act-sentences.ts";
import { keyIs } from "../read/find-message.ts";
import { asFlag } from "../tables/column-values.ts";
import { keyArrays } from "../tables/message-key.ts";
import { outboxTable, tableNamed } from "../tables/outbox-table.ts";
import type { Verb } from "./verb.ts";

/** Deletes an archived message for good, also from the team's archive table if it is there. */
export const purgeMessage: Verb = async (session, { name, mapping }, found) => {
  const { archive } = session.own;
  const ofMessage = and(eq(archive.outbox, name), eq(archive.messageId, found.row.id));
  const [archived] = await session.db
    .select({ isNative: asFlag(sql`${archive.image} IS NULL`) })
    .from(archive)
    .where(ofMessage)
    .for("update");
  if (!archived) throw new AppError("not_found", "This message is not in the archive any more.");
  await session.run(session.db.delete(archive).where(ofMessage));
  const keys = keyArrays(mapping, found.row.id);
  if (archived.isNative && mapping.archiveTable && keys) {
    const { rows } = outboxTable(mapping);
    await session.run(
      sql`DELETE ${rows} FROM ${tableNamed(mapping.archiveTable)} ${rows} WHERE ${keyIs(mapping, keys)}`,
    );
  }
  return PURGED;
};

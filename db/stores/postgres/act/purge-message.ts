import { keyArrays } from "../read/find-message.ts";
import { keyMatch, quoteTable } from "../tables/mapping-sql.ts";
import type { Verb } from "./verb.ts";

/** Deletes an archived message for good, from the team's archive table too where it lies there. */
export const purgeMessage: Verb = async (client, ref, found) => {
  const gone = await client.query<{ image: string | null }>(
    "DELETE FROM outbox_console.archive WHERE outbox = $1 AND message_id = $2 RETURNING image::text AS image",
    [ref.name, found.row.id],
  );
  const keys = keyArrays(ref.mapping, found.row.id);
  if (gone.rows[0]?.image === null && ref.mapping.archiveTable && keys) {
    await client.query(
      `DELETE FROM ${quoteTable(ref.mapping.archiveTable)} t WHERE ${keyMatch(ref.mapping, "t", 1)}`,
      keys,
    );
  }
  return "Deleted for good.";
};

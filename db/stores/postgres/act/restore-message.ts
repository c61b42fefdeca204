import type { PoolClient } from "pg";
import { AppError } from "#domain/errors.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { type FoundMessage, keyArrays } from "../read/find-message.ts";
import { keyMatch, quoteTable } from "../tables/mapping-sql.ts";
import { insertImage, ROW_IMAGE } from "../tables/row-image.ts";
import type { Verb } from "./verb.ts";

interface ArchivedRow {
  image: string | null;
  stateBefore: string;
  fromDeadLetters: boolean;
}

const DEAD_LETTER_COLUMNS = `outbox, message_id, image, aggregate_type, aggregate_id, event_type, created_at, published_at, payload_bytes, attempts,
  first_error_code, first_error, first_failed_at, last_error_code, last_error, last_failed_at, fingerprint, dead_at, dead_by`;

/** Puts an archived message back where it was, in the state it had. Throws: conflict, when its id exists again. */
export const restoreMessage: Verb = async (client, ref, found) => {
  const archived = await readArchived(client, ref, found);
  if (archived.fromDeadLetters && archived.image !== null) {
    await client.query(
      `INSERT INTO outbox_console.dead_letter (${DEAD_LETTER_COLUMNS}) SELECT ${DEAD_LETTER_COLUMNS} FROM outbox_console.archive WHERE outbox = $1 AND message_id = $2`,
      [ref.name, found.row.id],
    );
  } else {
    await insertImage(client, ref.mapping, archived.image ?? (await takeFromNativeArchive(client, ref, found)));
    await bringFailuresBack(client, ref, found);
    await rememberRestored(client, ref, found);
  }
  await client.query("DELETE FROM outbox_console.archive WHERE outbox = $1 AND message_id = $2", [
    ref.name,
    found.row.id,
  ]);
  return `Restored as ${archived.stateBefore}.`;
};

/** A relay that reads the log sees the row being inserted, and must not take it for a new message. */
async function rememberRestored(client: PoolClient, ref: OutboxRef, found: FoundMessage): Promise<void> {
  await client.query(
    `INSERT INTO outbox_console.restored (outbox, message_id) VALUES ($1, $2)
     ON CONFLICT (outbox, message_id) DO UPDATE SET at = clock_timestamp()`,
    [ref.name, found.row.id],
  );
}

/** What was known beside the row of its failures. A dead message has no next attempt. */
async function bringFailuresBack(client: PoolClient, ref: OutboxRef, found: FoundMessage): Promise<void> {
  await client.query(
    `INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, event_type, created_at, attempts, dead_at, dead_by,
       first_error_code, first_error, first_failed_at, last_error_code, last_error, last_failed_at, fingerprint)
     SELECT outbox, message_id, coalesce(aggregate_type || '/', '') || aggregate_id, event_type, created_at, attempts, dead_at, dead_by,
       first_error_code, first_error, first_failed_at, last_error_code, last_error, last_failed_at, fingerprint
     FROM outbox_console.archive WHERE outbox = $1 AND message_id = $2 AND state_before <> 'published' AND last_failed_at IS NOT NULL
     ON CONFLICT (outbox, message_id) DO NOTHING`,
    [ref.name, found.row.id],
  );
}

async function readArchived(client: PoolClient, ref: OutboxRef, found: FoundMessage): Promise<ArchivedRow> {
  const result = await client.query<ArchivedRow>(
    `SELECT image::text AS image, state_before AS "stateBefore", (state_before = 'dead' AND dead_at IS NOT NULL) AS "fromDeadLetters"
     FROM outbox_console.archive WHERE outbox = $1 AND message_id = $2 FOR UPDATE`,
    [ref.name, found.row.id],
  );
  const [row] = result.rows;
  if (!row) throw new AppError("not_found", "This message is not in the archive any more.");
  return row;
}

async function takeFromNativeArchive(client: PoolClient, ref: OutboxRef, found: FoundMessage): Promise<string> {
  const { archiveTable } = ref.mapping;
  const keys = keyArrays(ref.mapping, found.row.id);
  if (!archiveTable || !keys)
    throw new AppError("conflict", "The archived row is not there any more: nothing was restored.");
  const columns = `${quoteTable(ref.mapping.table)}`;
  const taken = await client.query<{ image: string }>(
    `WITH gone AS (DELETE FROM ${quoteTable(archiveTable)} t WHERE ${keyMatch(ref.mapping, "t", 1)} RETURNING ${ROW_IMAGE} AS image)
     SELECT row_to_json(json_populate_record(NULL::${columns}, gone.image))::text AS image FROM gone`,
    keys,
  );
  const image = taken.rows[0]?.image;
  if (!image)
    throw new AppError(
      "conflict",
      "The archived row is not in the team's archive table any more: nothing was restored.",
    );
  return image;
}

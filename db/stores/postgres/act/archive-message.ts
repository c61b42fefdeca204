import type { PoolClient } from "pg";
import { AppError } from "#domain/errors.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { VerbRequest } from "../../port/verb.ts";
import { type FoundMessage, keyArrays } from "../read/find-message.ts";
import { keyMatch, messageIdExpression, quoteTable } from "../tables/mapping-sql.ts";
import { summaryOfRow, writableColumns } from "../tables/row-image.ts";
import type { Verb } from "./verb.ts";
import { whyRowCannotMove } from "./why-row-cannot-move.ts";

const FAILURE_COLUMNS =
  "attempts, first_error_code, first_error, first_failed_at, last_error_code, last_error, last_failed_at, fingerprint";

/**
 * Takes a message out of the outbox: into the team's own archive table where the shape has one, else into ours as an
 * exact image. Either way our archive has an entry, so that it can be listed and restored.
 */
export const archiveMessage: Verb = async (client, ref, found, request) => {
  if (found.place === "dead_letter") {
    await archiveDeadLetter(client, ref, found, request);
    return "Archived from the dead letters.";
  }
  const keys = keyArrays(ref.mapping, found.row.id) ?? [];
  const reason = await whyRowCannotMove(client, ref.mapping, keys);
  if (reason !== null) throw new AppError("wrong_state", `This message cannot be archived: ${reason}.`);
  await archiveRow(client, ref, found, request);
  return ref.mapping.archiveTable
    ? `Moved to ${ref.mapping.archiveTable.name}.`
    : "Archived; it can be restored until it is purged.";
};

async function archiveDeadLetter(
  client: PoolClient,
  ref: OutboxRef,
  found: FoundMessage,
  request: VerbRequest,
): Promise<void> {
  const carried = `outbox, message_id, image, aggregate_type, aggregate_id, event_type, created_at, published_at, payload_bytes, ${FAILURE_COLUMNS}, dead_at, dead_by`;
  await client.query(
    `WITH gone AS (DELETE FROM outbox_console.dead_letter WHERE outbox = $1 AND message_id = $2 RETURNING ${carried})
     INSERT INTO outbox_console.archive (${carried}, state_before, archived_by, reason) SELECT ${carried}, 'dead', $3, $4 FROM gone`,
    [ref.name, found.row.id, request.actor.name, request.reason],
  );
}

async function archiveRow(
  client: PoolClient,
  ref: OutboxRef,
  found: FoundMessage,
  request: VerbRequest,
): Promise<void> {
  const { mapping } = ref;
  const keys = keyArrays(mapping, found.row.id);
  const summary = { ...summaryOfRow(mapping), ...(mapping.archiveTable ? { image: "NULL::json" } : {}) };
  const names = Object.keys(summary) as (keyof typeof summary)[];
  await client.query(
    `INSERT INTO outbox_console.archive (outbox, message_id, ${names.join(", ")}, ${FAILURE_COLUMNS}, dead_at, dead_by, state_before, archived_by, reason)
     SELECT $1, ${messageIdExpression(mapping, "t")}, ${names.map((name) => summary[name]).join(", ")},
       coalesce(d.attempts, $5::int, 0), d.first_error_code, d.first_error, d.first_failed_at, d.last_error_code, coalesce(d.last_error, $6), d.last_failed_at, d.fingerprint,
       d.dead_at, d.dead_by, $2, $3, $4
     FROM ${quoteTable(mapping.table)} t LEFT JOIN outbox_console.delivery d ON d.outbox = $1 AND d.message_id = ${messageIdExpression(mapping, "t")}
     WHERE ${keyMatch(mapping, "t", 7)}`,
    [
      ref.name,
      found.row.state,
      request.actor.name,
      request.reason,
      found.row.attempts,
      found.row.lastError,
      ...(keys ?? []),
    ],
  );
  if (mapping.archiveTable) await copyToNativeArchive(client, mapping, keys ?? []);
  await client.query(`DELETE FROM ${quoteTable(mapping.table)} t WHERE ${keyMatch(mapping, "t", 1)}`, keys);
  await client.query("DELETE FROM outbox_console.delivery WHERE outbox = $1 AND message_id = $2", [
    ref.name,
    found.row.id,
  ]);
}

async function copyToNativeArchive(client: PoolClient, mapping: OutboxMapping, keys: string[][]): Promise<void> {
  if (!mapping.archiveTable) return;
  const columns = (await writableColumns(client, mapping)).map((column) => column.name).join(", ");
  await client.query(
    `INSERT INTO ${quoteTable(mapping.archiveTable)} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM ${quoteTable(mapping.table)} t WHERE ${keyMatch(mapping, "t", 1)}`,
    keys,
  );
}

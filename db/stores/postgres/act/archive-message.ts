import { and, eq, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import { DEAD_LETTER_COLUMNS, FAILURES } from "#db/stores/shared/act/moved-columns.ts";
import type { FoundMessage } from "#db/stores/shared/read/found-message.ts";
import { AppError } from "#domain/errors.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { VerbRequest } from "../../port/verb.ts";
import { ARCHIVED, ARCHIVED_DEAD_LETTER } from "../../shared/act/act-sentences.ts";
import { requireMoved } from "../../shared/act/require-moved.ts";
import { queryOn } from "../connection/query-on.ts";
import { archive, deadLetter, delivery } from "../own-schema/schema.ts";
import { keyIs } from "../read/find-message.ts";
import { carriedFrom, insertSelect } from "../tables/insert-select.ts";
import { keyArrays, messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { summaryOfRow } from "../tables/row-image.ts";
import { d, onDelivery } from "../tables/states/message-state.ts";
import { copyToTeamArchive } from "../tables/team-archive.ts";
import type { Verb } from "./verb.ts";
import { whyRowCannotMove } from "./why-row-cannot-move.ts";

/**
 * Moves a message out of the outbox: into the team's own archive table if the shape has one, otherwise into ours as an
 * exact image. Our archive gets an entry either way, so the message can be listed and restored.
 */
export const archiveMessage: Verb = async (client, ref, found, request) => {
  if (found.place === "dead_letter") {
    await archiveDeadLetter(client, ref, found, request);
    return ARCHIVED_DEAD_LETTER;
  }
  const keys = keyArrays(ref.mapping, found.row.id) ?? [];
  const reason = await whyRowCannotMove(client, ref.mapping, keys);
  if (reason !== null) throw new AppError("wrong_state", `This message cannot be archived: ${reason}.`);
  await archiveRow(client, ref, found, request);
  return ref.mapping.archiveTable ? `Moved to ${ref.mapping.archiveTable.name}.` : ARCHIVED;
};

async function archiveDeadLetter(
  client: PoolClient,
  ref: OutboxRef,
  found: FoundMessage,
  request: VerbRequest,
): Promise<void> {
  const db = queryOn(client);
  const ofMessage = and(eq(deadLetter.outbox, ref.name), eq(deadLetter.messageId, found.row.id));
  const gone = db.delete(deadLetter).where(ofMessage).returning(pick(deadLetter, DEAD_LETTER_COLUMNS));
  const values = {
    ...carriedFrom(deadLetter, DEAD_LETTER_COLUMNS, "gone"),
    stateBefore: sql`'dead'`,
    archivedBy: sql`${request.actor.name}`,
    reason: sql`${request.reason}`,
  };
  const moved = sql`WITH gone AS (${gone.getSQL()}) ${insertSelect(archive, values, sql`FROM gone`)}`;
  requireMoved((await db.execute(moved)).rowCount);
}

function pick<Table extends object, Key extends keyof Table>(table: Table, keys: readonly Key[]): Pick<Table, Key> {
  return Object.fromEntries(keys.map((key) => [key, table[key]])) as Pick<Table, Key>;
}

async function archiveRow(
  client: PoolClient,
  ref: OutboxRef,
  found: FoundMessage,
  request: VerbRequest,
): Promise<void> {
  const { mapping } = ref;
  const db = queryOn(client);
  const { table, rows } = outboxTable(mapping);
  const byKey = keyIs(mapping, keyArrays(mapping, found.row.id) ?? []);
  const { row } = found;
  const values = {
    outbox: sql`${ref.name}`,
    messageId: messageId(outboxTable(mapping)),
    ...summaryOfRow(mapping),
    ...(mapping.archiveTable ? { image: sql`NULL::json` } : {}),
    ...carriedFrom(delivery, [...FAILURES, "deadAt", "deadBy"], "d"),
    attempts: sql`coalesce(${d.attempts}, ${row.attempts}::int, 0)`,
    lastError: sql`coalesce(${d.lastError}, ${row.lastError})`,
    stateBefore: sql`${row.state}`,
    archivedBy: sql`${request.actor.name}`,
    reason: sql`${request.reason}`,
  };
  const from = sql`FROM ${table} ${rows} LEFT JOIN ${delivery} ${d} ON ${onDelivery(ref)} WHERE ${byKey}`;
  await db.execute(insertSelect(archive, values, from));
  if (mapping.archiveTable) await copyToTeamArchive(client, mapping, { to: mapping.archiveTable, byKey });
  requireMoved((await db.execute(sql`DELETE FROM ${table} ${rows} WHERE ${byKey}`)).rowCount);
  await db.delete(delivery).where(and(eq(delivery.outbox, ref.name), eq(delivery.messageId, row.id)));
}

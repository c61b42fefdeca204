import { decodeMessageId } from "#db/stores/port/message-id.ts";
import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { RelaySession } from "#db/stores/postgres/connection/sessions.ts";
import { textArray } from "#db/stores/postgres/connection/text-array.ts";
import { besideKeys, keyMatch, quoteTable, unsentPredicate } from "#db/stores/postgres/tables/mapping-sql.ts";
import { partitionMask } from "#db/stores/shared/relay/partition-mask.ts";
import { keyParameters } from "#db/stores/shared/tables/key-parameters.ts";
import { ALL_PARTITIONS } from "#domain/relay/partitions.ts";
import { rowInPartitions } from "../partition-sql.ts";
import { rowReader } from "../read-row.ts";
import { messageId, type RelayContext } from "../relay-context.ts";
import { identitySql } from "../row-version.ts";
import { claimable } from "./claimable.ts";

export interface Place {
  /** Without payload and headers. `attempts` is the larger of the row's and the delivery row's. */
  message: OutgoingMessage;
  /** Neither scheduled for later nor waiting for its next attempt. */
  due: boolean;
  /** It is in the term's partitions. */
  mine: boolean;
  /** See `identitySql`. */
  identity: string;
}

/**
 * Positions of unsent messages, without payloads: reading a payload may be what kills the relay. Published, dead and
 * deleted messages are missing from the result. Index: the table's primary key; primary key of delivery. The CASE keeps
 * the planner from using the partial index of unsent rows, which may number millions.
 */
export async function readPlaces(
  context: RelayContext,
  session: RelaySession,
  { ids, lease }: { ids: readonly string[]; lease?: Lease },
): Promise<Place[]> {
  if (ids.length === 0) return [];
  const { mapping } = context;
  const { headers: _, ...columns } = mapping.columns;
  const bare = rowReader({ ...context, mapping: { ...mapping, columns: { ...columns, payload: mapping.columns.id } } });
  const keyLength = mapping.primaryKey.length;
  const keys = [...new Set(ids)].map((id) => decodeMessageId(id, keyLength));
  const { rows } = await session.query(
    "places",
    `SELECT ${bare.columns.join(", ")}, coalesce(d.attempts, 0)::text, (d.message_id IS NOT NULL)::text,
       ((d.next_attempt_at IS NULL OR d.next_attempt_at <= clock_timestamp()) AND (${claimable(context)}))::text,
       (${rowInPartitions(context, 2)})::text, ${identitySql(mapping)}
     FROM ${quoteTable(mapping.table)} o
     LEFT JOIN outbox_console.delivery d ON d.outbox = $1 AND d.message_id = ${messageId(mapping)}
     WHERE ${keyMatch(mapping, "o", 3)} AND ${besideKeys(unsentPredicate(mapping, "o"))} AND d.dead_at IS NULL`,
    [
      context.outbox,
      partitionMask(lease ?? { partitions: ALL_PARTITIONS }),
      ...keyParameters(keys, keyLength).map(textArray),
    ],
  );
  return rows.map((row) => {
    const [attempts, known, due, mine, identity] = row.slice(-5);
    const read = bare.read(row);
    const message = { ...read, payload: null, headers: null, attempts: Math.max(read.attempts, Number(attempts)) };
    return {
      message: known === "true" ? { ...message, retried: true } : message,
      due: due === "true",
      mine: mine === "true",
      identity: identity ?? "",
    };
  });
}

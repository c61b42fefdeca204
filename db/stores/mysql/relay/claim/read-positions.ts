import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { ALL_PARTITIONS } from "#domain/relay/partitions.ts";
import type { Session } from "../../connection/session.ts";
import { forced, quoteLiteral, quoteTable, unsentPredicate } from "../../tables/mapping-sql.ts";
import { hasId } from "../literals.ts";
import { rowInPartitions } from "../partition-sql.ts";
import { rowReader } from "../read-row.ts";
import { messageIdBytes, ownName, type RelayContext } from "../relay-context.ts";
import { identitySql } from "../row-version.ts";
import { isDue } from "./claimable.ts";

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
 * deleted messages are missing from the result. Index: the table's primary key; primary key of delivery.
 */
export async function readPlaces(
  context: RelayContext,
  session: Session,
  { ids, lease }: { ids: readonly string[]; lease?: Lease },
): Promise<Place[]> {
  if (ids.length === 0) return [];
  const { mapping, own, facts } = context;
  const { headers: _, ...columns } = mapping.columns;
  const bare = rowReader({ ...context, mapping: { ...mapping, columns: { ...columns, payload: mapping.columns.id } } });
  const rows = await session.rows(
    `SELECT ${bare.columns.join(", ")}, COALESCE(d.attempts, 0), d.message_id IS NOT NULL,
       (d.next_attempt_at IS NULL OR d.next_attempt_at <= UTC_TIMESTAMP(6)) AND ${isDue(context)},
       ${rowInPartitions(context, lease ?? { partitions: ALL_PARTITIONS })}, ${identitySql(context)}
     FROM ${quoteTable(mapping.table)} o${forced(facts.keyIndex)}
     LEFT JOIN ${ownName(own.delivery)} d ON d.outbox = ${quoteLiteral(context.outbox)} AND d.message_id = ${messageIdBytes(mapping)}
     WHERE ${hasId(mapping, [...new Set(ids)])} AND CASE WHEN ${unsentPredicate(mapping, "o")} THEN TRUE ELSE FALSE END AND d.dead_at IS NULL`,
  );
  return rows.map((row) => {
    const [attempts, known, due, mine, identity] = row.slice(-5);
    const read = bare.read(row);
    const message = { ...read, payload: null, headers: null, attempts: Math.max(read.attempts, Number(attempts)) };
    return {
      message: known === "1" ? { ...message, retried: true } : message,
      due: due === "1",
      mine: mine === "1",
      identity: identity ?? "",
    };
  });
}

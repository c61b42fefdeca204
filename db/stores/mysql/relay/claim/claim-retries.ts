import { randomUUID } from "node:crypto";
import { ANY_BYTES, type Claim, type RetryRequest } from "#db/stores/port/relay/claim.ts";
import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { RetryEntry } from "#db/stores/port/relay/retry-entry.ts";
import { orderOf } from "#db/stores/shared/relay/order-of.ts";
import { withheldTypes } from "#db/stores/shared/relay/pauses-in-force.ts";
import { ownsAll } from "#domain/relay/partitions.ts";
import { forced, quoteLiteral, quoteTable, unsentPredicate } from "../../tables/mapping-sql.ts";
import { hasId, textList } from "../literals.ts";
import { deliveryInPartitions } from "../partition-sql.ts";
import type { RowReader } from "../read-row.ts";
import { ownName, type RelayContext } from "../relay-context.ts";
import { forgetSql } from "../settle/attempts.ts";
import { inlineBytes, messagesOf, taken } from "./claim-new.ts";
import { claimOpening, insertClaim, readOpening } from "./claim-transaction.ts";
import { isDue } from "./claimable.ts";
import { notIsolatedSql } from "./not-isolated.ts";

/**
 * Ids and attempts of failed messages that are due, the longest due first. Index: delivery_due_idx.
 * Race: an operator who retries or dead-letters the same message; the outbox's lock serialises the two.
 */
function dueStatement(context: RelayContext, { lease, limit, excludeIds }: RetryRequest): string {
  const types = withheldTypes(context);
  const { aggregates } = context.paused;
  const conditions = [
    `d.outbox = ${quoteLiteral(context.outbox)} AND d.dead_at IS NULL AND d.next_attempt_at <= UTC_TIMESTAMP(6)`,
    // Without marks, a message with a stored image is claimed from the image, because its row may be gone.
    ...(context.mark === "none" ? ["d.image IS NULL"] : []),
    ...(excludeIds.length > 0 ? [`d.message_id NOT IN ${textList(excludeIds)}`] : []),
    notIsolatedSql(context, "d.message_id"),
    ...(types.length > 0 ? [`(d.event_type IN ${textList(types)}) IS NOT TRUE`] : []),
    ...(aggregates.length > 0 ? [`(d.aggregate_key IN ${textList(aggregates)}) IS NOT TRUE`] : []),
    ...(ownsAll(lease) ? [] : [deliveryInPartitions(lease)]),
  ];
  return `SELECT d.message_id, d.attempts FROM ${ownName(context.own.delivery)} d WHERE ${conditions.join(" AND ")}
    ORDER BY d.next_attempt_at LIMIT ${limit}`;
}

/**
 * Claims due failed messages, the longest due first. Forgets failures of messages that another program has published or
 * removed: nothing is left to retry. Index of the second read: the table's primary key.
 */
export async function claimDueRetries(
  context: RelayContext,
  reader: RowReader,
  wanted: RetryRequest,
): Promise<Claim | null> {
  const token = randomUUID();
  const { maxBytes = ANY_BYTES } = wanted;
  return context.sessions.transaction(
    async (session, opened, close) => {
      readOpening(opened);
      const attempts = new Map((opened.at(-1)?.rows ?? []).map(([id, count]) => [id ?? "", Number(count)]));
      if (attempts.size === 0) return null;
      const ids = [...attempts.keys()];
      const columns = reader.upTo(inlineBytes({ maxBytes, limit: ids.length }));
      const unsent = await session.rows(unsentOf(context, columns, ids));
      const rows = new Map(unsent.map((row) => [reader.id(row), row]));
      const due = ids.flatMap((id) => {
        const row = rows.get(id);
        return row?.at(-1) === "1" ? [row] : [];
      });
      const read = await messagesOf(context, reader, session, taken(context, reader, due, { maxBytes }));
      const messages = read.map((message): OutgoingMessage => {
        return { ...message, retried: true, attempts: Math.max(message.attempts, attempts.get(message.id) ?? 0) };
      });
      const gone = ids.filter((id) => !rows.has(id));
      await close([
        ...(messages.length > 0
          ? [insertClaim(context, wanted.lease, { token, ids: messages.map(({ id }) => id) })]
          : []),
        ...(gone.length > 0 ? [forgetSql(context, gone)] : []),
      ]);
      return messages.length > 0 ? { token, messages } : null;
    },
    { opening: [...claimOpening(context, wanted.lease), dueStatement(context, wanted)] },
  );
}

/**
 * Rows of the messages that are still unsent. The last column: whether they are due, as the table may have postponed
 * them.
 */
function unsentOf(context: RelayContext, columns: readonly string[], ids: readonly string[]): string {
  const { mapping, facts } = context;
  return `SELECT ${columns.join(", ")}, ${isDue(context)} FROM ${quoteTable(mapping.table)} o${forced(facts.keyIndex)}
    WHERE ${hasId(mapping, ids)} AND CASE WHEN ${unsentPredicate(mapping, "o")} THEN TRUE ELSE FALSE END`;
}

/** Index: delivery_due_idx. */
export async function listRetries(context: RelayContext, lease: Lease): Promise<RetryEntry[]> {
  const shared = ownsAll(lease) ? "" : ` AND ${deliveryInPartitions(lease)}`;
  const rows = await context.sessions.single((session) =>
    session.rows(
      `SELECT message_id, aggregate_key, order_key, attempts, event_type,
         TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), next_attempt_at) / 1000
       FROM ${ownName(context.own.delivery)} WHERE outbox = ${quoteLiteral(context.outbox)} AND dead_at IS NULL AND next_attempt_at IS NOT NULL${shared}`,
    ),
  );
  return rows.map(([id, key, order, attempts, eventType, due]) => ({
    id: id ?? "",
    aggregateKey: key ?? null,
    eventType: eventType ?? null,
    order: orderOf(order == null ? undefined : (JSON.parse(order) as string[])),
    attempts: Number(attempts),
    dueInMs: Number(due),
  }));
}

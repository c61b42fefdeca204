import { randomUUID } from "node:crypto";
import { decodeMessageId } from "#db/stores/port/message-id.ts";
import { ANY_BYTES, type Claim, type RetryRequest } from "#db/stores/port/relay/claim.ts";
import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { RetryEntry } from "#db/stores/port/relay/retry-entry.ts";
import type { OneTripStep } from "#db/stores/postgres/connection/sessions.ts";
import { textArray } from "#db/stores/postgres/connection/text-array.ts";
import { besideKeys, keyMatch, quoteTable } from "#db/stores/postgres/tables/mapping-sql.ts";
import { partitionMask } from "#db/stores/shared/relay/partition-mask.ts";
import { withheldTypes } from "#db/stores/shared/relay/pauses-in-force.ts";
import { keyParameters } from "#db/stores/shared/tables/key-parameters.ts";
import { ownsAll } from "#domain/relay/partitions.ts";
import { deliveryInPartitions } from "../partition-sql.ts";
import { type RowReader, VERSIONED } from "../read-row.ts";
import { type Measured, messageId, type RelayContext } from "../relay-context.ts";
import { ReadPoint } from "../row-version.ts";
import { claimOpening, readOpening } from "./claim-transaction.ts";
import { claimable } from "./claimable.ts";
import { withinBytes } from "./measured-rows.ts";
import { notIsolatedSql } from "./not-isolated.ts";

/**
 * Index: delivery_due_idx (outbox, next_attempt_at) WHERE dead_at IS NULL.
 * Race: an operator who retries or dead-letters the same message; the advisory lock of the opening serialises the two.
 * Without marks, only claimImages claims messages with an image, even those due since: their rows may be gone.
 */
const due = (shared: boolean, marksNothing: boolean) => `SELECT message_id, attempts::text FROM outbox_console.delivery
  WHERE outbox = $1 AND dead_at IS NULL AND next_attempt_at <= clock_timestamp() AND message_id <> ALL ($3::text[])
    ${marksNothing ? "AND image IS NULL" : ""} AND ${notIsolatedSql("delivery.message_id")}
    AND (event_type = ANY ($4::text[])) IS NOT TRUE AND (aggregate_key = ANY ($5::text[])) IS NOT TRUE
  ${shared ? `AND ${deliveryInPartitions(6)}` : ""} ORDER BY next_attempt_at LIMIT $2`;

/**
 * Claims due failed messages, oldest due first, in two round trips. Index of the second read: the table's primary key.
 */
export async function claimDueRetries(
  context: RelayContext,
  reader: RowReader,
  input: RetryRequest,
): Promise<Claim | null> {
  const token = randomUUID();
  return context.sessions.transaction({
    opening: [...claimOpening(context, input.lease), dueStep(context, input)],
    work: async (_session, opened, close) => {
      const { measured, xmin } = readOpening(opened.slice(0, -1));
      const attempts = new Map(opened.at(-1)?.map(([id, count]) => [id ?? "", Number(count)]));
      if (attempts.size === 0) return null;
      const [rows = []] = await close([
        claimStep(context, reader, { ...input, measured, token, ids: [...attempts.keys()] }),
      ]);
      const point = new ReadPoint(xmin);
      const messages = rows.map((row) => {
        const message = reader.read(row, point);
        return { ...message, retried: true, attempts: Math.max(message.attempts, attempts.get(message.id) ?? 0) };
      });
      return messages.length > 0 ? { token, messages } : null;
    },
  });
}

function dueStep(
  context: RelayContext,
  { lease, limit, excludeIds }: { lease: Lease; limit: number; excludeIds: readonly string[] },
): OneTripStep {
  const shared = !ownsAll(lease);
  return {
    name: `outbox_console_due${shared ? "_shared" : ""}`,
    text: due(shared, context.mark === "none"),
    values: [
      context.outbox,
      String(limit),
      textArray(excludeIds),
      textArray(withheldTypes(context)),
      textArray(context.paused.aggregates),
      ...(shared ? [partitionMask(lease)] : []),
    ],
  };
}

function claimStep(
  context: RelayContext,
  reader: RowReader,
  {
    lease,
    token,
    ids,
    measured,
    maxBytes = ANY_BYTES,
  }: RetryRequest & { token: string; ids: readonly string[]; measured: Measured },
): OneTripStep {
  const keyLength = context.mapping.primaryKey.length;
  const keys = ids.map((id) => decodeMessageId(id, keyLength));
  return {
    name: `outbox_console_retry_${measured || "small"}`,
    text: claimKeysStatement(context, reader, measured),
    values: [
      ...[context.outbox, lease.owner, String(maxBytes), String(lease.epoch), token, textArray(ids)],
      ...keyParameters(keys, keyLength).map(textArray),
    ],
  };
}

function unsent(context: RelayContext): string {
  return claimable({ ...context, mapping: { ...context.mapping, columns: withoutSchedule(context) } });
}

function withoutSchedule(context: RelayContext): RelayContext["mapping"]["columns"] {
  const { availableAt: _, ...columns } = context.mapping.columns;
  return columns;
}

/**
 * Also drops the delivery rows of messages that another program published or removed: nothing is left to retry. One
 * that its table merely schedules is still unsent.
 */
function claimKeysStatement(context: RelayContext, reader: RowReader, measured: Measured): string {
  const { mapping } = context;
  const table = `${quoteTable(mapping.table)} o WHERE ${keyMatch(mapping, "o", 7)}`;
  const due = `SELECT ${VERSIONED} FROM ${table} AND ${besideKeys(claimable(context))}`;
  const page = measured ? withinBytes(context, measured, due) : `FROM (${due}) o WHERE $3::bigint > 0`;
  return `
WITH page AS MATERIALIZED (
  SELECT ${reader.columns.map((sql, index) => `${sql} AS c${index}`).join(", ")}
  ${page}
), held AS (
  INSERT INTO outbox_console.claim (token, outbox, owner, epoch, message_ids)
  SELECT $5::uuid, $1, $2, $4::bigint, array_agg(c0) FROM page HAVING count(*) > 0
  RETURNING token
), gone AS (
  DELETE FROM outbox_console.delivery d WHERE d.outbox = $1 AND d.message_id = ANY ($6::text[])
    AND d.message_id NOT IN (SELECT ${messageId(mapping)} FROM ${table} AND ${besideKeys(unsent(context))})
)
SELECT page.* FROM page, held`;
}

/** Index: delivery_due_idx. */
export async function listRetries(context: RelayContext, lease: Lease): Promise<RetryEntry[]> {
  const shared = !ownsAll(lease);
  const { rows } = await context.sessions.single(
    shared ? "retry-list-shared" : "retry-list",
    `SELECT message_id, aggregate_key, order_key[1], order_key[2], attempts::text, event_type,
       (extract(epoch FROM next_attempt_at - clock_timestamp()) * 1000)::float8::text
     FROM outbox_console.delivery WHERE outbox = $1 AND dead_at IS NULL AND next_attempt_at IS NOT NULL
       ${shared ? `AND ${deliveryInPartitions(2)}` : ""}`,
    [context.outbox, ...(shared ? [partitionMask(lease)] : [])],
  );
  return rows.map(([id, key, order, orderId, attempts, eventType, due]) => ({
    id: id ?? "",
    aggregateKey: key ?? null,
    eventType: eventType ?? null,
    order: typeof order === "string" && typeof orderId === "string" ? ([order, orderId] as const) : null,
    attempts: Number(attempts),
    dueInMs: Number(due),
  }));
}

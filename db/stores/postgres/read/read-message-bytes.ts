import { type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { BytesRequest, MessageBytes, StoredBytes } from "#db/stores/port/message-detail.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { queryOn } from "../connection/query-on.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { findMessage, sourceOf } from "./find-message.ts";

const NOTHING: MessageBytes = { payload: null, headers: null };

/** Payload and headers byte for byte; null if there is no such message. */
export async function readMessageBytes(
  client: PoolClient,
  ref: OutboxRef,
  asked: BytesRequest & { id: string },
): Promise<MessageBytes | null> {
  const found = await findMessage(client, ref, asked.id);
  if (!found) return null;
  const from = await sourceOf(client, ref, found);
  if (!from) return NOTHING;
  const { payload, headers } = ref.mapping.columns;
  const body = asked.part === "headers" ? undefined : bytesOf(ref, payload);
  const head = asked.part === "payload" ? undefined : bytesOf(ref, headers);
  const first = (value: SQL | undefined) => firstBytes(value ?? sql`NULL::bytea`, asked);
  const length = (value: SQL | undefined) => sql`octet_length(${value ?? sql`NULL::bytea`})`;
  const { rows } = await queryOn(client).execute<{
    payload: string | null;
    payloadBytes: number | null;
    headers: string | null;
    headersBytes: number | null;
  }>(
    sql`SELECT ${first(body)} AS payload, ${length(body)} AS "payloadBytes", ${first(head)} AS headers, ${length(head)} AS "headersBytes" FROM ${from}`,
  );
  const row = rows[0];
  if (!row) return NOTHING;
  return {
    payload: storedBytes(row.payload, row.payloadBytes, payload),
    headers: headers ? storedBytes(row.headers, row.headersBytes, headers) : null,
  };
}

/** In base64; of a longer value whose length alone is asked for, nothing. */
function firstBytes(value: SQL, { most, longer }: BytesRequest): SQL {
  const first = sql`encode(substr(${value}, 1, ${most}), 'base64')`;
  return longer === "length" ? sql`CASE WHEN octet_length(${value}) > ${most} THEN '' ELSE ${first} END` : first;
}

/** The bytes of a column of row `t`. */
function bytesOf({ mapping }: OutboxRef, column: MappedColumn | undefined): SQL | undefined {
  if (!column) return undefined;
  const value = outboxTable(mapping).column(column);
  return column.type === "bytea" ? sql`${value}` : sql`convert_to(${value}::text, 'UTF8')`;
}

function storedBytes(base64: string | null, totalBytes: number | null, { type }: MappedColumn): StoredBytes | null {
  if (base64 === null) return null;
  const kind = type === "bytea" ? "binary" : /^jsonb?$/.test(type) ? "json" : "text";
  return { bytes: Buffer.from(base64, "base64"), totalBytes: totalBytes ?? 0, kind, columnType: type };
}

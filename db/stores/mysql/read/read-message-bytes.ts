import { type SQL, sql } from "drizzle-orm";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { BytesRequest, MessageBytes, StoredBytes } from "#db/stores/port/message-detail.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { AppError } from "#domain/errors.ts";
import type { Session } from "../connection/session.ts";
import { isBinary, kindOf } from "../tables/column-kinds.ts";
import { findMessage, type Source, sourceOf } from "./find-message.ts";

/** A result above `max_allowed_packet`, by default 16 MB in MariaDB, would be NULL; base64 adds a third. */
const PIECE_BYTES = 4_000_000;

/** Payload and headers byte for byte; null if there is no such message. */
export async function readMessageBytes(
  session: Session,
  ref: OutboxRef,
  asked: BytesRequest & { id: string },
): Promise<MessageBytes | null> {
  const found = await findMessage(session, ref, asked.id);
  if (!found) return null;
  const source = await sourceOf(session, ref, found);
  if (!source) return { payload: null, headers: null };
  const { payload, headers } = ref.mapping.columns;
  return {
    payload: asked.part !== "headers" ? await readColumn(session, source, payload, asked) : null,
    headers: headers && asked.part !== "payload" ? await readColumn(session, source, headers, asked) : null,
  };
}

async function readColumn(
  session: Session,
  source: Source,
  column: MappedColumn,
  { most, longer }: BytesRequest,
): Promise<StoredBytes | null> {
  const { type } = column;
  const value = isBinary(type)
    ? source.bytes(column)
    : sql`CAST(CONVERT(${source.text(column)} USING utf8mb4) AS BINARY)`;
  const [row] = await session.rows(sql`SELECT OCTET_LENGTH(${value}) FROM ${source.from}`);
  const length = row?.[0];
  if (length === null || length === undefined) return null;
  const totalBytes = Number(length);
  const pieces: Uint8Array[] = [];
  const wanted = longer === "length" && totalBytes > most ? 0 : Math.min(totalBytes, most);
  for (let at = 0; at < wanted; at += PIECE_BYTES)
    pieces.push(await readPiece(session, source, value, { at, length: Math.min(PIECE_BYTES, most - at) }));
  const kind = isBinary(type) ? "binary" : kindOf(type) === "json" ? "json" : "text";
  return { bytes: Buffer.concat(pieces), totalBytes, kind, columnType: type };
}

async function readPiece(
  session: Session,
  { from }: Source,
  value: SQL,
  piece: { at: number; length: number },
): Promise<Uint8Array> {
  const [at, length] = [piece.at + 1, piece.length].map((number) => sql.raw(String(number)));
  const [row] = await session.rows(sql`SELECT TO_BASE64(SUBSTR(${value}, ${at}, ${length})) FROM ${from}`);
  const base64 = row?.[0];
  if (typeof base64 === "string") return Buffer.from(base64, "base64");
  throw new AppError(
    "unavailable",
    `The server returned nothing of a value at byte ${piece.at}. Its max_allowed_packet may be below 6 MB; raise it.`,
  );
}

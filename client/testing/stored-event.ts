import { parsePayload } from "../messages/parse-payload.ts";
import { lowerCased, ofOutbox } from "../messages/read-sent.ts";
import type { ReceivedMessage } from "../messages/received-message.ts";
import type { OutboxLayout, OutboxRole } from "../outbox/layout.ts";
import type { Adapter } from "../sql/adapter.ts";
import { cells } from "../sql/cells.ts";
import { nameOf, textSql } from "../sql/columns.ts";
import { quoteTable } from "../sql/names.ts";
import { join, raw, type Statement, sql } from "../sql/statement.ts";
import { storedInstant } from "./stored-instant.ts";

/** Rows of an outbox as messages, as the relay sends them; oldest first, as far as the layout shows it. */
export async function readStored<Tx, Db>(
  via: Adapter<Tx, Db>,
  db: Tx | Db,
  layout: OutboxLayout,
): Promise<ReceivedMessage[]> {
  const { columns } = layout;
  const read = (role: OutboxRole, name: string): Statement => {
    const column = columns[role];
    return column
      ? sql`${textSql(nameOf(column, via.dialect), via.dialect)} AS ${raw(name)}`
      : sql`NULL AS ${raw(name)}`;
  };
  const fields = [
    read("id", "message_id"),
    read("eventType", "event_type"),
    read("aggregateType", "aggregate_type_name"),
    read("aggregateId", "aggregate_key"),
    read("payload", "payload_text"),
    read("headers", "headers_text"),
    read("createdAt", "created"),
  ];
  const order = [columns.createdAt, columns.id].filter((column) => column !== undefined);
  const names = order.map((column) => sql`${nameOf(column, via.dialect)}`);
  const sorted = names.length > 0 ? sql` ORDER BY ${join(names, ", ")}` : sql``;
  const table = quoteTable(layout.table, via.dialect);
  const { rows } = await via.run(db, sql`SELECT ${join(fields, ", ")} FROM ${table}${sorted}`);
  return rows.map((row) => toMessage(row, layout));
}

function toMessage(row: Record<string, unknown>, { columns: { createdAt } }: OutboxLayout): ReceivedMessage {
  const texts = cells(row).map((value) => (value === null || value === undefined ? null : String(value)));
  const [id = null, type = null, aggregateType = null, aggregateId = null, text = null, headersText = null] = texts;
  const created = texts[6] ?? null;
  const headers = lowerCased(JSON.parse(headersText ?? "{}"));
  return {
    id: id ?? "",
    type,
    ...ofOutbox(headers),
    aggregateType,
    aggregateId,
    createdAt: createdAt ? storedInstant(created, createdAt) : null,
    payload: parsePayload(text),
    text,
    headers,
  };
}

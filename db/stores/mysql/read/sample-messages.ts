import { sql } from "drizzle-orm";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { SampledMessage } from "#db/stores/port/outbox-reader.ts";
import { notPublished } from "#db/stores/shared/states/state-predicates.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import type { Session } from "../connection/session.ts";
import { wouldScan } from "../plans/table-access.ts";
import { instantTextOf, textOf } from "../tables/column-values.ts";
import type { Selects } from "../tables/message-columns.ts";
import { outboxTable } from "../tables/outbox-table.ts";

const MOST = 500;

/**
 * Sample messages that show where an outbox's messages are routed: the first unsent ones and the newest in any state,
 * up to 500 each, without payloads. Skips a half that needs a scan.
 * Index: the one of unsent rows in their order; the key's or the order column's for the newest.
 */
export async function sampleMessages(
  session: Session,
  mapping: OutboxMapping,
  fields: Readonly<Record<string, string>>,
): Promise<SampledMessage[]> {
  const outbox = outboxTable(mapping);
  const order = outbox.column(orderColumn(mapping));
  const all = () => session.db.select(selection(mapping, fields)).from(outbox.rows).$dynamic();
  const unsent = all().where(notPublished(outbox)).orderBy(order).limit(MOST);
  const newest = all().orderBy(sql`${order} DESC`).limit(MOST);
  const rows: Row[] = [];
  for (const query of [unsent, newest])
    if (!(await wouldScan(session, { mapping }, query))) rows.push(...((await query) as Row[]));
  return rows.map((row) => toMessage(row, Object.keys(fields)));
}

interface Row {
  id: string | null;
  aggregateType: string | null;
  aggregateId: string | null;
  eventType: string | null;
  topic: string | null;
  headers: string | null;
  createdAt: string | null;
  /** Further columns, by their place among those asked for. */
  [field: `field${number}`]: string | null;
}

function selection(mapping: OutboxMapping, fields: Readonly<Record<string, string>>): Selects<Row> {
  const { columns } = mapping;
  const outbox = outboxTable(mapping);
  const typeOf = (name: string) => Object.values(columns).find((column) => column.name === name)?.type ?? "";
  const values = Object.values(fields).map((name, at) => [
    `field${at}`,
    textOf(outbox, { name, type: typeOf(name), nullable: true, from: "config" }),
  ]);
  return {
    id: textOf(outbox, columns.id),
    aggregateType: textOf(outbox, columns.aggregateType),
    aggregateId: textOf(outbox, columns.aggregateId),
    eventType: textOf(outbox, columns.eventType),
    topic: textOf(outbox, columns.topic),
    headers: textOf(outbox, columns.headers),
    createdAt: instantTextOf(outbox, columns.createdAt),
    ...Object.fromEntries(values),
  };
}

function toMessage(row: Row, fieldNames: readonly string[]): SampledMessage {
  const { id, aggregateType, aggregateId, eventType, topic, headers, createdAt } = row;
  return {
    id: id ?? "",
    eventId: id ?? "",
    aggregateKey: aggregateId,
    ...{ aggregateType, aggregateId, eventType, topic, headers, createdAt },
    fields: Object.fromEntries(fieldNames.map((name, at) => [name, row[`field${at}`] ?? null])),
    scheduled: false,
    order: ["", ""],
    attempts: 0,
  };
}

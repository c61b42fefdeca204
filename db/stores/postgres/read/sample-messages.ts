import { sql } from "drizzle-orm";
import type { Pool } from "pg";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import type { SampledMessage } from "#db/stores/port/outbox-reader.ts";
import { notPublished } from "#db/stores/shared/states/state-predicates.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import { queryOn } from "../connection/query-on.ts";
import { withReadTransaction } from "../connection/transaction.ts";
import { wouldScan } from "../plans/query-cost.ts";
import { instantTextOf, textOf } from "../tables/column-values.ts";
import type { Selects } from "../tables/message-columns.ts";
import { outboxTable } from "../tables/outbox-table.ts";

const TIMEOUT_MS = 3000;
const MOST = 500;

/**
 * Sample messages that show where an outbox's messages are routed: the first unsent ones and the newest in any state,
 * up to 500 each, without payloads. Skips a half that needs a scan.
 * Index: the one of unsent rows in their order; the key's or the order column's for the newest.
 */
export function sampleMessages(
  pool: Pool,
  mapping: OutboxMapping,
  fields: Readonly<Record<string, string>>,
): Promise<SampledMessage[]> {
  return withReadTransaction(pool, TIMEOUT_MS, async (client) => {
    const outbox = outboxTable(mapping);
    const order = outbox.column(orderColumn(mapping));
    const all = () => queryOn(client).select(selection(mapping, fields)).from(outbox.rows).$dynamic();
    const unsent = all().where(notPublished(outbox)).orderBy(order).limit(MOST);
    const newest = all().orderBy(sql`${order} DESC`).limit(MOST);
    const rows: Row[] = [];
    for (const query of [unsent, newest]) if (!(await wouldScan(client, query))) rows.push(...(await query));
    return rows.map((row) => toMessage(row, Object.keys(fields)));
  });
}

interface Row {
  id: string | null;
  aggregateType: string | null;
  aggregateId: string | null;
  eventType: string | null;
  topic: string | null;
  headers: string | null;
  createdAt: string | null;
  fields: (string | null)[];
}

function selection(mapping: OutboxMapping, fields: Readonly<Record<string, string>>): Selects<Row> {
  const { columns } = mapping;
  const outbox = outboxTable(mapping);
  const values = Object.values(fields).map((name) => sql`${outbox.column({ name })}::text`);
  return {
    id: textOf(outbox, columns.id),
    aggregateType: textOf(outbox, columns.aggregateType),
    aggregateId: textOf(outbox, columns.aggregateId),
    eventType: textOf(outbox, columns.eventType),
    topic: textOf(outbox, columns.topic),
    headers: textOf(outbox, columns.headers),
    createdAt: instantTextOf(outbox, columns.createdAt),
    fields: sql`ARRAY[${sql.join(values, sql`, `)}]::text[]`,
  };
}

function toMessage({ fields, id, ...row }: Row, fieldNames: readonly string[]): SampledMessage {
  return {
    ...row,
    id: id ?? "",
    eventId: id ?? "",
    aggregateKey: row.aggregateId,
    fields: Object.fromEntries(fieldNames.map((name, index) => [name, fields[index] ?? null])),
    scheduled: false,
    order: ["", ""],
    attempts: 0,
  };
}

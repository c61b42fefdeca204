import type { Pool, PoolClient } from "pg";
import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { withReadTransaction } from "../connection/transaction.ts";
import { wouldScan } from "../plans/query-cost.ts";
import {
  columnSql,
  instantExpression,
  instantText,
  notPublishedPredicate,
  orderColumn,
  quoteIdentifier,
  quoteTable,
} from "../tables/mapping-sql.ts";

const TIMEOUT_MS = 3000;
const MOST = 500;

/** What a route may look at. */
export type SampledMessage = Omit<OutgoingMessage, "payload" | "payloadKind">;

/**
 * Some messages by which to tell where an outbox's messages go: the first that are unsent and the newest whatever became
 * of them, without payloads. A half that would read the whole table is left out.
 * Index: the one of unsent rows in their order; the key's or the order column's for the newest.
 */
export function sampleMessages(
  pool: Pool,
  mapping: OutboxMapping,
  fields: Readonly<Record<string, string>>,
): Promise<SampledMessage[]> {
  const order = columnSql(orderColumn(mapping), "t");
  const from = `SELECT ${selection(mapping, fields)} FROM ${quoteTable(mapping.table)} t`;
  const halves = [
    `${from} WHERE ${notPublishedPredicate(mapping, "t")} ORDER BY ${order} LIMIT ${MOST}`,
    `${from} ORDER BY ${order} DESC LIMIT ${MOST}`,
  ];
  return withReadTransaction(pool, TIMEOUT_MS, async (client) => {
    const rows: Row[] = [];
    for (const sql of halves) rows.push(...(await readCheap(client, sql)));
    return rows.map(toMessage);
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
  fieldNames: string[];
}

async function readCheap(client: PoolClient, sql: string): Promise<Row[]> {
  return (await wouldScan(client, sql, [])) ? [] : (await client.query<Row>(sql)).rows;
}

function selection({ columns }: OutboxMapping, fields: Readonly<Record<string, string>>): string {
  const text = (column: MappedColumn | undefined) => (column ? `${columnSql(column, "t")}::text` : "NULL::text");
  const named = ["aggregateType", "aggregateId", "eventType", "topic", "headers", "id"] as const;
  const created = columns.createdAt ? instantText(instantExpression(columns.createdAt, "t")) : "NULL::text";
  const list = (values: string[]) => `ARRAY[${values.join(", ")}]::text[]`;
  return [
    ...named.map((role) => `${text(columns[role])} AS "${role}"`),
    `${created} AS "createdAt"`,
    `${list(Object.values(fields).map((name) => `t.${quoteIdentifier(name)}::text`))} AS fields`,
    `${list(Object.keys(fields).map((name) => `'${name}'`))} AS "fieldNames"`,
  ].join(", ");
}

function toMessage({ fields, fieldNames, id, ...row }: Row): SampledMessage {
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

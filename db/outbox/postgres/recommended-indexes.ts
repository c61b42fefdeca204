import type { CatalogTable } from "../../catalog/read-catalog.ts";
import type { OutboxMapping } from "../mapping.ts";
import { orderColumn, quoteIdentifier, quoteLiteral, quoteTable } from "./mapping-sql.ts";

export interface IndexAdvice {
  purpose: string;
  sql: string;
}

/** Indexes that the console's and the relay's statements expect and the table lacks, as SQL to run. */
export function recommendedIndexes(table: CatalogTable, mapping: OutboxMapping): IndexAdvice[] {
  const { columns, primaryKey } = mapping;
  const advice: IndexAdvice[] = [];
  const concurrently = table.partitioned ? "" : "CONCURRENTLY ";
  const create = (list: string) => `CREATE INDEX ${concurrently}ON ${quoteTable(mapping.table)} (${list});`;
  const order = orderColumn(mapping).name;
  const waiting = waitingIndex(mapping, concurrently);
  if (waiting && !table.indexes.some((index) => index.predicate !== null && index.columns[0] === order)) {
    advice.push({
      purpose: "Finding what waits, whatever the table's size",
      sql: waiting,
    });
  }
  const created = columns.createdAt?.name;
  const key = primaryKey.map((column) => column.name).filter((name) => name !== created);
  if (created && !leads(table, [created])) {
    advice.push({
      purpose: "Listing published messages, newest first",
      sql: create([created, ...key].map((name) => `${quoteIdentifier(name)} DESC`).join(", ")),
    });
  }
  const aggregate = columns.aggregateId?.name;
  if (aggregate && !leads(table, [aggregate])) {
    const list = created
      ? `${quoteIdentifier(aggregate)}, ${quoteIdentifier(created)} DESC`
      : quoteIdentifier(aggregate);
    advice.push({ purpose: "Finding the messages of one aggregate", sql: create(list) });
  }
  return advice;
}

/** The partial index of what waits, in the order of delivery; null where nothing in the row tells it. */
export function waitingIndex(mapping: OutboxMapping, concurrently: string): string | null {
  const waiting = waitingPredicate(mapping);
  return waiting === null
    ? null
    : `CREATE INDEX ${concurrently}ON ${quoteTable(mapping.table)} (${quoteIdentifier(orderColumn(mapping).name)}) WHERE ${waiting};`;
}

function leads(table: CatalogTable, columns: readonly string[]): boolean {
  return table.indexes.some(
    (index) =>
      index.predicate === null &&
      columns.every((name, position) => index.columns[position] === name || index.columns[position] === `${name} DESC`),
  );
}

/** The bare predicate that `unsentPredicate` contains, so that the planner matches the index. */
function waitingPredicate(mapping: OutboxMapping): string | null {
  const { lifecycle } = mapping;
  switch (lifecycle.kind) {
    case "timestamp":
      return `${quoteIdentifier(lifecycle.column.name)} IS NULL`;
    case "flag":
      return `NOT ${quoteIdentifier(lifecycle.column.name)}`;
    case "status": {
      const words = [...lifecycle.pending, ...lifecycle.inFlight, ...lifecycle.failed];
      return words.length === 0
        ? null
        : `${quoteIdentifier(lifecycle.column.name)} IN (${words.map(quoteLiteral).join(", ")})`;
    }
    default:
      return null;
  }
}

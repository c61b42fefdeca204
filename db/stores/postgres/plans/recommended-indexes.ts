import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import {
  failedPredicate,
  nativeDeadPredicate,
  orderColumn,
  quoteIdentifier,
  quoteTable,
  waitingPredicate,
} from "../tables/mapping-sql.ts";

export interface IndexAdvice {
  purpose: string;
  sql: string;
}

/** What an index is for; each is judged by the statements that need it. */
export type IndexUse = "waiting" | "failed" | "dead" | "history" | "aggregate";

export interface RecommendedIndex extends IndexAdvice {
  use: IndexUse;
}

/**
 * Every index that the console's and the relay's statements expect, whether it is there or not. Each of a state leaves
 * out what the state leaves out, so that rows that were given up on cost the relay and the lists nothing.
 */
export function recommendedIndexes(mapping: OutboxMapping, partitioned: boolean): RecommendedIndex[] {
  const { createdAt, aggregateId } = mapping.columns;
  const failed = failedPredicate(mapping);
  const dead = nativeDeadPredicate(mapping);
  const indexes: (RecommendedIndex | null)[] = [
    stateIndex(mapping, partitioned, {
      use: "waiting",
      purpose: "Finding what waits, whatever the table's size",
      list: deliveryOrder(mapping),
      where: waitingPredicate(mapping),
    }),
    failed === null
      ? null
      : stateIndex(mapping, partitioned, {
          use: "failed",
          purpose: "Counting and listing failed messages, and grouping their errors",
          list: deliveryOrder(mapping),
          where: failed,
        }),
    dead === "false"
      ? null
      : stateIndex(mapping, partitioned, {
          use: "dead",
          purpose: "Counting and listing dead messages, and grouping their errors",
          list: quoted(mapping.columns.createdAt ?? orderColumn(mapping)),
          where: dead,
        }),
    createdAt
      ? {
          use: "history",
          purpose: "Listing published messages, newest first",
          sql: create(mapping, partitioned, newestFirst(mapping)),
        }
      : null,
    aggregateId
      ? {
          use: "aggregate",
          purpose: "Finding the messages of one aggregate",
          sql: create(
            mapping,
            partitioned,
            [quoted(aggregateId), ...(createdAt ? [`${quoted(createdAt)} DESC`] : [])].join(", "),
          ),
        }
      : null,
  ];
  return indexes.filter((index) => index !== null);
}

function stateIndex(
  mapping: OutboxMapping,
  partitioned: boolean,
  index: { use: IndexUse; purpose: string; list: string; where: string },
): RecommendedIndex | null {
  const where = bare(index.where);
  if (where === "true" || where.includes("IN (NULL)")) return null;
  const sql = create(mapping, partitioned, index.list, where);
  return { use: index.use, purpose: index.purpose, sql };
}

/** Without what always holds, and without parentheses around all of it. */
function bare(predicate: string): string {
  const plain = predicate.replaceAll("true AND ", "");
  return /^\([^()]*\)$/.test(plain) ? plain.slice(1, -1) : plain;
}

function create(mapping: OutboxMapping, partitioned: boolean, list: string, where?: string): string {
  const concurrently = partitioned ? "" : "CONCURRENTLY ";
  return `CREATE INDEX ${concurrently}ON ${quoteTable(mapping.table)} (${list})${where ? ` WHERE ${where}` : ""};`;
}

const quoted = (column: MappedColumn) => quoteIdentifier(column.name);

/**
 * The sequence or creation time alone: the planner takes an index of two columns for one that does not follow the table,
 * and then prefers a wider index of one column that stands beside it.
 */
function deliveryOrder(mapping: OutboxMapping): string {
  return quoted(orderColumn(mapping));
}

/** As lists of what is not waiting are sorted. */
function newestFirst({ columns, primaryKey }: OutboxMapping): string {
  const created = columns.createdAt ? [columns.createdAt] : [];
  const key = primaryKey.filter((column) => column.name !== columns.createdAt?.name);
  return [...created, ...key].map((column) => `${quoted(column)} DESC`).join(", ");
}

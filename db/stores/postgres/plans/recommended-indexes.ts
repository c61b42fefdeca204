import { type SQL, sql } from "drizzle-orm";
import type { IndexAdvice, IndexUse } from "#db/stores/port/index-advice.ts";
import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";
import { ALWAYS, NEVER } from "#db/stores/shared/states/conditions.ts";
import { dead, failed, unknown, waiting } from "#db/stores/shared/states/state-predicates.ts";
import { orderColumn } from "#db/stores/shared/tables/order-column.ts";
import { toIndexText } from "../connection/dialect.ts";
import { outboxTable } from "../tables/outbox-table.ts";

export interface RecommendedIndex extends IndexAdvice {
  use: IndexUse;
}

/**
 * Every index that the console's and the relay's statements expect, existing or not. An index for a state holds only
 * rows of that state, so that dead rows cost the relay and the lists nothing.
 */
export function recommendedIndexes(mapping: OutboxMapping, partitioned: boolean): RecommendedIndex[] {
  const { createdAt, aggregateId } = mapping.columns;
  const outbox = outboxTable(mapping);
  const create = (index: IndexDefinition) => createIndex(mapping, partitioned, index);
  const ofState = (use: IndexUse, purpose: string, by: MappedColumn, where: SQL): RecommendedIndex[] =>
    where === NEVER || where === ALWAYS ? [] : [{ use, purpose, sql: create({ columns: [{ column: by }], where }) }];
  // Only the sequence or creation time: the planner assumes that an index of two columns does not follow the table's
  // order, and would then prefer a wider one-column index next to it.
  const delivery = orderColumn(mapping);
  const newest = createdAt ? [{ column: createdAt, descending: true }] : [];
  return [
    ...ofState("waiting", "Finding waiting messages at any table size", delivery, waiting(outbox)),
    ...ofState("failed", "Counting and listing failed messages, and grouping their errors", delivery, failed(outbox)),
    ...ofState(
      "dead",
      "Counting and listing dead messages, and grouping their errors",
      createdAt ?? delivery,
      dead(outbox),
    ),
    // A library's rules may leave any row in no state: the index that shows that none is, holds none.
    ...(mapping.lifecycle.kind === "rules" || (mapping.lifecycle.kind === "status" && mapping.lifecycle.marks)
      ? ofState("unknown", "Showing that no message is in an unknown state", createdAt ?? delivery, unknown(outbox))
      : []),
    ...(createdAt
      ? [
          {
            use: "history" as const,
            purpose: "Listing published messages, newest first",
            sql: create({ columns: newestFirst(mapping, createdAt) }),
          },
        ]
      : []),
    ...(aggregateId
      ? [
          {
            use: "aggregate" as const,
            purpose: "Finding the messages of one aggregate",
            sql: create({ columns: [{ column: aggregateId }, ...newest] }),
          },
        ]
      : []),
  ];
}

/** The order of lists of messages that do not wait. */
function newestFirst({ primaryKey }: OutboxMapping, createdAt: MappedColumn): IndexDefinition["columns"] {
  const key = primaryKey.filter((column) => column.name !== createdAt.name);
  return [createdAt, ...key].map((column) => ({ column, descending: true }));
}

interface IndexDefinition {
  columns: readonly { column: MappedColumn; descending?: boolean }[];
  where?: SQL;
}

/** CREATE INDEX as SQL to run; not CONCURRENTLY for a partitioned table, which does not allow it. */
export function createIndex(mapping: OutboxMapping, partitioned: boolean, { columns, where }: IndexDefinition): string {
  const outbox = outboxTable(mapping);
  const list = columns.map(({ column, descending }) =>
    descending ? sql`${outbox.column(column)} DESC` : outbox.column(column),
  );
  const concurrently = sql.raw(partitioned ? "" : "CONCURRENTLY ");
  return toIndexText(
    sql`CREATE INDEX ${concurrently}ON ${outbox.table} (${sql.join(list, sql`, `)})${where ? sql` WHERE ${where}` : undefined};`,
  );
}

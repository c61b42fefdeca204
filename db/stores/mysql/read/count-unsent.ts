import { type SQL, sql } from "drizzle-orm";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { Behind } from "#db/stores/shared/read/blocked-page.ts";
import { ALWAYS, all } from "#db/stores/shared/states/conditions.ts";
import { listOf } from "#db/stores/shared/tables/list-of.ts";
import type { Session } from "../connection/session.ts";
import { readingBy } from "../diagnosis-facts/require-reading.ts";
import { deliveryOrder, READ_BUDGET, type Reading, readingOf } from "../plans/table-access.ts";
import { asNumber, comparable, exact } from "../tables/column-values.ts";
import { aggregateKey, messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { isUnsent, selectRows } from "../tables/states/message-state.ts";
import { entriesOf, entryOrder } from "./read-entries.ts";

interface Wanted {
  aggregateId: MappedColumn;
  /** Values of that column. */
  ids: readonly string[];
  /** Messages that are not counted. */
  without: readonly string[];
}

/**
 * Unsent messages of some aggregates. Aggregates that differ only for us, and not under the column's collation, are
 * counted each by its own key. Index: one on the aggregate id, or the one of waiting rows.
 */
export async function countUnsent(
  session: Session,
  ref: OutboxRef,
  { aggregateId, ids, without }: Wanted,
): Promise<Behind> {
  if (ids.length === 0) return { waits: new Map(), isAll: true };
  const outbox = outboxTable(ref.mapping);
  const isWanted = sql`${outbox.column(aggregateId)} IN (${listOf(ids.map((id) => comparable(aggregateId, id)))})`;
  const reading = await readingOfAggregates(session, ref, { where: isWanted, column: aggregateId.name });
  if (reading.kind === "none") return { waits: null, isAll: false };
  const others = listOf(without.map((id) => exact(sql`${id}`)));
  const isOther = without.length === 0 ? ALWAYS : sql`${exact(messageId(outbox))} NOT IN (${others})`;
  const wanted = all(isUnsent(ref), isWanted, isOther);
  const fields = {
    aggregate: sql<string | null>`CASE WHEN ${wanted} THEN ${exact(aggregateKey(outbox))} END`,
    messages: asNumber(sql`COUNT(*)`),
  };
  const entries = entriesOf(ref, reading, { order: entryOrder(reading, deliveryOrder(ref)) });
  const rows = await selectRows(session, ref, fields, entries)
    .where(reading.kind === "whole" ? wanted : ALWAYS)
    .groupBy(sql`1`);
  const looked = rows.reduce((sum, row) => sum + row.messages, 0);
  const counts = rows.flatMap(({ aggregate, messages }): [string, number][] =>
    aggregate === null ? [] : [[aggregate, messages]],
  );
  return { waits: new Map(counts), isAll: reading.kind === "whole" || looked < READ_BUDGET };
}

/** Reads by aggregate if an index allows it, otherwise among the waiting rows. */
async function readingOfAggregates(
  session: Session,
  ref: OutboxRef,
  { where, column }: { where: SQL; column: string },
): Promise<Reading> {
  const reading = await readingBy(session, ref, [[{ where, columns: [{ name: column, one: false }] }]]);
  return reading.kind === "none" ? readingOf(session, ref, "waiting") : reading;
}

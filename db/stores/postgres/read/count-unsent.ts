import { type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { PoolClient } from "pg";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { Behind } from "#db/stores/shared/read/blocked-page.ts";
import { all } from "#db/stores/shared/states/conditions.ts";
import { unsent } from "#db/stores/shared/states/state-predicates.ts";
import { castTo } from "../connection/dialect.ts";
import { queryOn } from "../connection/query-on.ts";
import { findAccess } from "../plans/find-access.ts";
import { deliveryOrder, isSmall, READ_BUDGET, type Reading, readingOf } from "../plans/table-access.ts";
import { comparisonType } from "../tables/column-values.ts";
import { aggregateKey, messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { isUnsent, selectRows } from "../tables/states/message-state.ts";
import { entriesOf, entryOrder, readGuarded } from "./read-entries.ts";

interface Wanted {
  aggregateId: MappedColumn;
  /** Values of that column. */
  ids: readonly string[];
  /** Messages that are not counted. */
  without: readonly string[];
}

/** Unsent messages of some aggregates. Index: one on the aggregate id, or the one of waiting rows. */
export async function countUnsent(
  client: PoolClient,
  ref: OutboxRef,
  { aggregateId, ids, without }: Wanted,
): Promise<Behind> {
  if (ids.length === 0) return { waits: new Map(), isAll: true };
  const outbox = outboxTable(ref.mapping);
  const array = sql`${sql.param([...ids])}::text[]${castTo(`${comparisonType(aggregateId.type)}[]`)}`;
  const isWanted = sql`${outbox.column(aggregateId)} = ANY (${array})`;
  const reading = await readingOfAggregates(client, ref, [all(unsent(outbox), isWanted), isWanted]);
  if (reading.kind === "none") return { waits: null, isAll: false };
  const isOther = sql`${messageId(outbox)} <> ALL (${sql.param([...without])}::text[])`;
  const wanted = all(isUnsent(ref), isWanted, isOther);
  const fields = {
    aggregate: sql<string | null>`CASE WHEN ${wanted} THEN ${aggregateKey(outbox)} END`,
    messages: sql<number>`count(*)::int`,
  };
  const entries = entriesOf(client, ref, reading, entryOrder(reading, deliveryOrder(ref))) as PgTable;
  const query = selectRows(queryOn(client), ref, fields, entries);
  const rows = await readGuarded(client, reading, () =>
    (reading.kind === "whole" ? query.where(wanted) : query).groupBy(sql`1`),
  );
  const looked = rows.reduce((sum, row) => sum + row.messages, 0);
  const counts = rows.flatMap(({ aggregate, messages }): [string, number][] =>
    aggregate === null ? [] : [[aggregate, messages]],
  );
  return { waits: new Map(counts), isAll: reading.kind === "whole" || looked < READ_BUDGET };
}

/** Reads by aggregate if an index allows it, otherwise among the waiting rows. */
async function readingOfAggregates(client: PoolClient, ref: OutboxRef, bases: readonly SQL[]): Promise<Reading> {
  if (await isSmall(client, ref)) return { kind: "whole" };
  const access = await findAccess(client, ref, { bases, order: deliveryOrder(ref) });
  return access ? { kind: "index", access } : readingOf(client, ref, "waiting");
}

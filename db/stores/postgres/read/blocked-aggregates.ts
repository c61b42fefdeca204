import { and, inArray, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { PoolClient } from "pg";
import type { BlockedPage, BlockedPageRequest } from "#db/stores/port/blocked-aggregates.ts";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { PauseRow } from "#db/stores/port/pauses.ts";
import { type Behind, idsOfKey, readBlockedPage } from "#db/stores/shared/read/blocked-page.ts";
import { all } from "#db/stores/shared/states/conditions.ts";
import { unsent } from "#db/stores/shared/states/state-predicates.ts";
import { castTo } from "../connection/dialect.ts";
import { queryOn } from "../connection/query-on.ts";
import { pause } from "../own-schema/schema.ts";
import { findAccess } from "../plans/find-access.ts";
import { deliveryOrder, isSmall, READ_BUDGET, type Reading, readingOf } from "../plans/table-access.ts";
import { comparisonType, instantText } from "../tables/column-values.ts";
import { fitsType } from "../tables/message-filter.ts";
import { aggregateKey, messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { isUnsent, selectRows } from "../tables/states/message-state.ts";
import { deliveryAs, isFailing, isLongest, readCandidates, withholds } from "./blocked-candidates.ts";
import { entriesOf, entryOrder, readGuarded } from "./read-entries.ts";
import { databaseClock } from "./read-waiting.ts";
import { recordedOf } from "./recorded-waiting.ts";

/**
 * Aggregates whose later messages wait, longest blocked first. Index: delivery_failing_idx, pause_since_idx; for the count
 * of waiting messages one on the aggregate id, or the one of waiting rows.
 */
export async function readBlocked(
  client: PoolClient,
  ref: OutboxRef,
  request: BlockedPageRequest,
): Promise<BlockedPage> {
  const { aggregateId } = ref.mapping.columns;
  const asOf = await databaseClock(client);
  if (!ref.storeSide || !aggregateId) return { aggregates: [], nextCursor: null, looked: 0, asOf };
  const page = await readBlockedPage(
    {
      candidates: (place, limit) => readCandidates(client, ref, { place, limit }),
      pausesOf: (keys) => pausesOf(client, ref, keys),
      headsOf: (keys) => headsOf(client, ref, keys),
      behind: (keys, heads) => countUnsent(client, ref, { aggregateId, keys, heads }),
    },
    request,
  );
  return { ...page, asOf };
}

/** Index: primary key of pause. */
async function pausesOf(client: PoolClient, { name }: OutboxRef, keys: readonly string[]): Promise<PauseRow[]> {
  return queryOn(client)
    .select({
      outbox: pause.outbox,
      scope: sql<PauseRow["scope"]>`'aggregate'`,
      subject: pause.subject,
      reason: pause.reason,
      by: pause.by,
      at: instantText(sql`${pause.at}`) as SQL<string>,
      until: instantText(sql`${pause.until}`),
      messageId: pause.messageId,
    })
    .from(pause)
    .where(and(withholds(pause, name), inArray(pause.subject, [...keys])))
    .orderBy(pause.at);
}

/** Index: delivery_aggregate_idx. */
async function headsOf(client: PoolClient, { name }: OutboxRef, keys: readonly string[]): Promise<Map<string, string>> {
  const f = deliveryAs("f");
  const rows = await queryOn(client)
    .select({ key: sql<string>`${f.aggregateKey}`, id: f.messageId })
    .from(f)
    .where(and(isFailing(f, name), inArray(f.aggregateKey, [...keys]), isLongest(client, f, name)));
  return new Map(rows.map(({ key, id }) => [key, id]));
}

interface Wanted {
  aggregateId: MappedColumn;
  keys: readonly string[];
  heads: readonly string[];
}

async function countUnsent(client: PoolClient, ref: OutboxRef, { aggregateId, keys, heads }: Wanted): Promise<Behind> {
  if (ref.mapping.lifecycle.kind === "log")
    return { waits: await recordedOf(client, ref, { keys, without: heads }), isAll: true };
  const outbox = outboxTable(ref.mapping);
  const ids = keys.flatMap((key) => idsOfKey(key, ref.mapping.columns.aggregateType !== undefined));
  const fitting = [...new Set(ids)].filter((id) => fitsType(id, aggregateId.type));
  if (fitting.length === 0) return { waits: new Map(), isAll: true };
  const array = sql`${sql.param(fitting)}::text[]${castTo(`${comparisonType(aggregateId.type)}[]`)}`;
  const isWanted = sql`${outbox.column(aggregateId)} = ANY (${array})`;
  const reading = await readingOfAggregates(client, ref, [all(unsent(outbox), isWanted), isWanted]);
  if (reading.kind === "none") return { waits: null, isAll: false };
  const wanted = all(isUnsent(ref), isWanted, sql`${messageId(outbox)} <> ALL (${sql.param([...heads])}::text[])`);
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

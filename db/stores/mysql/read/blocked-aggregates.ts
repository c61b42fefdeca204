import { and, inArray, type SQL, sql } from "drizzle-orm";
import type { BlockedPage, BlockedPageRequest } from "#db/stores/port/blocked-aggregates.ts";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { PauseRow } from "#db/stores/port/pauses.ts";
import { type Behind, idsOfKey, readBlockedPage } from "#db/stores/shared/read/blocked-page.ts";
import { ALWAYS, all } from "#db/stores/shared/states/conditions.ts";
import type { Session } from "../connection/session.ts";
import { readingBy } from "../diagnosis-facts/require-reading.ts";
import { deliveryOrder, READ_BUDGET, type Reading, readingOf } from "../plans/table-access.ts";
import { asNumber, comparable, exact } from "../tables/column-values.ts";
import { fitsType } from "../tables/fits-type.ts";
import { aggregateKey, messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { listOf } from "../tables/row-image.ts";
import { isUnsent, selectRows } from "../tables/states/message-state.ts";
import { deliveryAs, isFailing, isLongest, readCandidates, withholds } from "./blocked-candidates.ts";
import { entriesOf, entryOrder } from "./read-entries.ts";
import { databaseClock } from "./read-waiting.ts";
import { recordedOf } from "./recorded-waiting.ts";

/**
 * Aggregates whose later messages wait, longest blocked first. Index: delivery_failing_idx, pause_since_idx; for the count
 * of waiting messages one on the aggregate id, or the one of waiting rows.
 */
export async function readBlocked(session: Session, ref: OutboxRef, request: BlockedPageRequest): Promise<BlockedPage> {
  const { aggregateId } = ref.mapping.columns;
  const asOf = await databaseClock(session);
  if (!ref.storeSide || !aggregateId) return { aggregates: [], nextCursor: null, looked: 0, asOf };
  const page = await readBlockedPage(
    {
      candidates: (place, limit) => readCandidates(session, ref, { place, limit }),
      pausesOf: (keys) => pausesOf(session, ref, keys),
      headsOf: (keys) => headsOf(session, ref, keys),
      behind: (keys, heads) => countUnsent(session, ref, { aggregateId, keys, heads }),
    },
    request,
  );
  return { ...page, asOf };
}

/** Index: primary key of pause. */
async function pausesOf({ db, own }: Session, { name }: OutboxRef, keys: readonly string[]): Promise<PauseRow[]> {
  const { pause } = own;
  return db
    .select({
      outbox: pause.outbox,
      scope: sql<PauseRow["scope"]>`'aggregate'`,
      subject: pause.subject,
      reason: pause.reason,
      by: pause.by,
      at: pause.at,
      until: pause.until,
      messageId: pause.messageId,
    })
    .from(pause)
    .where(and(withholds(pause, name), inArray(pause.subject, [...keys])))
    .orderBy(pause.at);
}

/** Index: delivery_aggregate_idx. */
async function headsOf(session: Session, { name }: OutboxRef, keys: readonly string[]): Promise<Map<string, string>> {
  const f = deliveryAs(session, "f");
  const rows = await session.db
    .select({ key: f.aggregateKey, id: f.messageId })
    .from(f)
    .where(and(isFailing(f, name), inArray(f.aggregateKey, [...keys]), isLongest(session, f, name)));
  return new Map(rows.map(({ key, id }) => [key ?? "", id]));
}

interface Wanted {
  aggregateId: MappedColumn;
  keys: readonly string[];
  heads: readonly string[];
}

async function countUnsent(session: Session, ref: OutboxRef, { aggregateId, keys, heads }: Wanted): Promise<Behind> {
  if (ref.mapping.lifecycle.kind === "log")
    return { waits: await recordedOf(session, ref, { keys, without: heads }), isAll: true };
  const outbox = outboxTable(ref.mapping);
  const ids = keys.flatMap((key) => idsOfKey(key, ref.mapping.columns.aggregateType !== undefined));
  const fitting = [...new Set(ids)].filter((id) => fitsType(id, aggregateId.type));
  if (fitting.length === 0) return { waits: new Map(), isAll: true };
  const among = listOf(fitting.map((id) => comparable(aggregateId, id)));
  const isWanted = sql`${outbox.column(aggregateId)} IN (${among})`;
  const reading = await readingOfAggregates(session, ref, { where: isWanted, column: aggregateId.name });
  if (reading.kind === "none") return { waits: null, isAll: false };
  const others = listOf(heads.map((id) => exact(sql`${id}`)));
  const isOther = heads.length === 0 ? ALWAYS : sql`${exact(messageId(outbox))} NOT IN (${others})`;
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

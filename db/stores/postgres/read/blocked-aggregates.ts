import { and, inArray, type SQL, sql } from "drizzle-orm";
import type { PoolClient } from "pg";
import type { BlockedPage, BlockedPageRequest } from "#db/stores/port/blocked-aggregates.ts";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { PauseRow } from "#db/stores/port/pauses.ts";
import { fitsType } from "#db/stores/postgres/tables/fits-type.ts";
import { type Behind, idsOfKey, readBlockedPage } from "#db/stores/shared/read/blocked-page.ts";
import { queryOn } from "../connection/query-on.ts";
import { pause } from "../own-schema/schema.ts";
import { instantText } from "../tables/column-values.ts";
import { deliveryAs, isFailing, isLongest, readCandidates, withholds } from "./blocked-candidates.ts";
import { countUnsent } from "./count-unsent.ts";
import { databaseClock } from "./read-waiting.ts";
import { recordedOf } from "./recorded-waiting.ts";

/**
 * Aggregates whose later messages wait, longest blocked first. Index: delivery_failing_idx, pause_since_idx; for the
 * count of waiting messages one on the aggregate id, or the one of waiting rows.
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
      behind: (keys, heads) => countBehind(client, ref, { aggregateId, keys, heads }),
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

async function countBehind(client: PoolClient, ref: OutboxRef, { aggregateId, keys, heads }: Wanted): Promise<Behind> {
  if (ref.mapping.lifecycle.kind === "log")
    return { waits: await recordedOf(client, ref, { keys, without: heads }), isAll: true };
  const ids = keys.flatMap((key) => idsOfKey(key, ref.mapping.columns.aggregateType !== undefined));
  const fitting = [...new Set(ids)].filter((id) => fitsType(id, aggregateId.type));
  return countUnsent(client, ref, { aggregateId, ids: fitting, without: heads });
}

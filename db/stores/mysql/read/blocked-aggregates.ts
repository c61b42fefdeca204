import { and, inArray, sql } from "drizzle-orm";
import type { BlockedPage, BlockedPageRequest } from "#db/stores/port/blocked-aggregates.ts";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { PauseRow } from "#db/stores/port/pauses.ts";
import { type Behind, idsOfKey, readBlockedPage } from "#db/stores/shared/read/blocked-page.ts";
import type { Session } from "../connection/session.ts";
import { fitsType } from "../tables/fits-type.ts";
import { deliveryAs, isFailing, isLongest, readCandidates, withholds } from "./blocked-candidates.ts";
import { countUnsent } from "./count-unsent.ts";
import { databaseClock } from "./read-waiting.ts";
import { recordedOf } from "./recorded-waiting.ts";

/**
 * Aggregates whose later messages wait, longest blocked first. Index: delivery_failing_idx, pause_since_idx; for the
 * count of waiting messages one on the aggregate id, or the one of waiting rows.
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
      behind: (keys, heads) => countBehind(session, ref, { aggregateId, keys, heads }),
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

async function countBehind(session: Session, ref: OutboxRef, { aggregateId, keys, heads }: Wanted): Promise<Behind> {
  if (ref.mapping.lifecycle.kind === "log")
    return { waits: await recordedOf(session, ref, { keys, without: heads }), isAll: true };
  const ids = keys.flatMap((key) => idsOfKey(key, ref.mapping.columns.aggregateType !== undefined));
  const fitting = [...new Set(ids)].filter((id) => fitsType(id, aggregateId.type));
  return countUnsent(session, ref, { aggregateId, ids: fitting, without: heads });
}

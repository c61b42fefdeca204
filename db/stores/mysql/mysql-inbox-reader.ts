import type { InboxMapping } from "../port/inbox-mapping.ts";
import type { InboxReader } from "../port/inbox-reader.ts";
import type { Pool } from "./connection/pool.ts";
import type { Session } from "./connection/session.ts";
import type { StorePools } from "./connection/store-pools.ts";
import { asking } from "./connection/to-store-error.ts";
import { withReadTransaction } from "./connection/transaction.ts";
import { withKnownIndexes } from "./plans/known-indexes.ts";
import { lookUpInboxRows, oldestDoneRow } from "./read/look-up-inbox.ts";
import { findInboxSightings, listInboxRows, readInboxFigures } from "./read/read-inbox.ts";
import { databaseClock } from "./read/read-waiting.ts";
import { requireZones } from "./tables/zones.ts";

const TIMEOUT_MS = 3000;
/** Short, because a message's page waits for its sightings. */
const SIGHTINGS_TIMEOUT_MS = 1500;

export function createInboxReader(pools: StorePools, name: string, mapping: InboxMapping): InboxReader {
  const read = <T>(pool: Pool, timeoutMs: number, work: (session: Session) => Promise<T>) =>
    asking(`inbox ${name}`, () =>
      withKnownIndexes({ mapping }, () =>
        withReadTransaction(pool, timeoutMs, async (session) => {
          await requireZones(session, mapping);
          return work(session);
        }),
      ),
    );
  return {
    figures: () =>
      read(pools.reads(), TIMEOUT_MS, async (session) => ({
        ...(await readInboxFigures(session, mapping)),
        asOf: await databaseClock(session),
      })),
    list: (request) =>
      read(pools.browse(), TIMEOUT_MS, async (session) => ({
        ...(await listInboxRows(session, mapping, request)),
        asOf: await databaseClock(session),
      })),
    sightings: (eventId) =>
      read(pools.reads(), SIGHTINGS_TIMEOUT_MS, (session) => findInboxSightings(session, mapping, eventId)),
    lookUp: (request) =>
      read(pools.reads(), TIMEOUT_MS, async (session) => ({
        rows: await lookUpInboxRows(session, mapping, request),
        asOf: await databaseClock(session),
      })),
    oldestDone: (consumer) =>
      read(pools.reads(), TIMEOUT_MS, async (session) => ({
        at: await oldestDoneRow(session, mapping, consumer),
        asOf: await databaseClock(session),
      })),
  };
}

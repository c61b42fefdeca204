import type { Pool, PoolClient } from "pg";
import type { InboxMapping } from "../port/inbox-mapping.ts";
import type { InboxReader } from "../port/inbox-reader.ts";
import type { StorePools } from "./connection/store-pools.ts";
import { asking } from "./connection/to-store-error.ts";
import { withReadTransaction } from "./connection/transaction.ts";
import { lookUpInboxRows, oldestDoneRow } from "./read/look-up-inbox.ts";
import { findInboxSightings, listInboxRows, readInboxFigures } from "./read/read-inbox.ts";
import { databaseClock } from "./read/read-waiting.ts";

const TIMEOUT_MS = 3000;
/** Short, because a message's page waits for its sightings. */
const SIGHTINGS_TIMEOUT_MS = 1500;

export function createInboxReader(pools: StorePools, name: string, mapping: InboxMapping): InboxReader {
  const read = <T>(pool: Pool, timeoutMs: number, work: (client: PoolClient) => Promise<T>) =>
    asking(`inbox ${name}`, () => withReadTransaction(pool, timeoutMs, work));
  return {
    figures: () =>
      read(pools.reads(), TIMEOUT_MS, async (client) => ({
        ...(await readInboxFigures(client, mapping)),
        asOf: await databaseClock(client),
      })),
    list: (request) =>
      read(pools.browse(), TIMEOUT_MS, async (client) => ({
        ...(await listInboxRows(client, mapping, request)),
        asOf: await databaseClock(client),
      })),
    sightings: (eventId) =>
      read(pools.reads(), SIGHTINGS_TIMEOUT_MS, (client) => findInboxSightings(client, mapping, eventId)),
    lookUp: (request) =>
      read(pools.reads(), TIMEOUT_MS, async (client) => ({
        rows: await lookUpInboxRows(client, mapping, request),
        asOf: await databaseClock(client),
      })),
    oldestDone: (consumer) =>
      read(pools.reads(), TIMEOUT_MS, async (client) => ({
        at: await oldestDoneRow(client, mapping, consumer),
        asOf: await databaseClock(client),
      })),
  };
}

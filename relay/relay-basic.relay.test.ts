import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Runtime } from "#services/runtime.ts";
import { type HttpReceiver, startHttpReceiver } from "#tests/http-receiver.ts";
import { createTestDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type StartedRelays, startRelays } from "./start-relays.ts";
import {
  type Delivery,
  distinct,
  insertEvents,
  inversions,
  OUTBOX_DDL,
  openRelayRuntime,
  unsentCount,
} from "./testing/outbox-fixture.ts";

type Database = Awaited<ReturnType<typeof createTestDatabase>>;

describe("a relay of a plain outbox over http", () => {
  let database: Database;
  let receiver: HttpReceiver;
  let runtime: Runtime;
  let relays: StartedRelays | undefined;

  const deliveries = (): Delivery[] => receiver.requests.map((request) => JSON.parse(request.body.toString("utf8")));
  const start = async (settings: string[] = []) => {
    runtime = openRelayRuntime({ databaseUrl: database.url, sinkUrl: `${receiver.url}/events`, relay: settings });
    relays = await startRelays({
      runtime,
      signal: new AbortController().signal,
      log: pino({ level: process.env.LOG_LEVEL ?? "silent" }),
    });
  };

  beforeEach(async () => {
    database = await createTestDatabase();
    receiver = await startHttpReceiver();
    await database.pool.query(OUTBOX_DDL);
  });
  afterEach(async () => {
    await relays?.stop();
    await runtime?.close();
    await receiver.close();
    await database.drop();
  });

  test("publishes what is there and what comes, in order per aggregate, and marks it", async () => {
    await insertEvents(database.pool, { count: 500, aggregates: 7 });
    await start();
    await waitFor(async () => (await unsentCount(database.pool)) === 0, { message: "all are marked" });
    await insertEvents(database.pool, { count: 70, aggregates: 7, from: 100 });
    await waitFor(async () => (await unsentCount(database.pool)) === 0, { message: "the new ones are marked" });
    expect(receiver.requests).toHaveLength(570);
    expect(distinct(deliveries())).toBe(570);
    expect(inversions(deliveries())).toEqual([]);
    const claims = await database.pool.query("SELECT count(*)::int AS n FROM outbox_console.claim");
    expect(claims.rows[0].n).toBe(0);
  });
});

import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { INSERT_ONE, makeTable, payloadOf, TABLE } from "#tests/outbox-table.ts";
import { createTestDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { startWatchedRelay, type WatchedRelay } from "../../testing/watched-relay.fixture.ts";

/** Well below the second that a search of the rows below the watermark waits. */
const SOON_MS = 400;
/** It is noticed by the first, or by the third if the watermark had other rows before. */
const NOTICED = 3;
/** The watermark passes a young row after two seconds. */
const WATCHED_MS = 6000;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: pg.Client;
let watched: WatchedRelay | undefined;
beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.url);
  await client.connect();
});
afterEach(async () => {
  await watched?.stop();
  watched = undefined;
  await client.end();
  await database.dropByForce();
});

/** Milliseconds until a new message is out. */
async function latency({ sink }: WatchedRelay): Promise<number> {
  const before = sink.received.length;
  const startedMs = performance.now();
  await client.query(INSERT_ONE, [crypto.randomUUID(), "7", payloadOf(1)]);
  await waitFor(() => sink.received.length > before, { message: "it is out" });
  return performance.now() - startedMs;
}

test("messages whose numbers are below that of a published row from elsewhere soon go out promptly", async () => {
  await makeTable(client, { published: 200_000, index: "all" });
  await client.query(
    `INSERT INTO ${TABLE} (seq, aggregate_type, aggregate_id, event_type, payload, published_at) OVERRIDING SYSTEM VALUE
     VALUES (1000000000000, 'order', 'x', 'order.changed', '{}', now())`,
  );
  const relay = await startWatchedRelay({ url: database.url });
  watched = relay;
  const peeks = () => [...relay.asked].filter(([name]) => name.startsWith("peek-after"));
  await waitFor(() => peeks().length > 0, { message: "the watermark has passed that row" });
  for (let n = 0; n < NOTICED; n += 1) await latency(relay);
  const latencies: number[] = [];
  const endMs = performance.now() + WATCHED_MS;
  while (performance.now() < endMs) latencies.push(await latency(relay));
  // Each would wait for the next search otherwise, however fast the machine is.
  const late = latencies.filter((ms) => ms > SOON_MS);
  expect(late.length, latencies.map(Math.round).join(" ")).toBeLessThan(latencies.length / 2);
}, 120_000);

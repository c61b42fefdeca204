import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { INSERT_ONE, makeTable, payloadOf, TABLE } from "#tests/outbox-table.ts";
import { createTestDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { PUBLISHED } from "../../sinks/sink.ts";
import { AMBIGUOUS } from "../../testing/bench-relay.fixture.ts";
import { outOfOrder } from "../../testing/out-of-order.fixture.ts";
import { startWatchedRelay, type WatchedRelay } from "../../testing/watched-relay.fixture.ts";

const FAILING = 10_000;

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: pg.Client;
let watched: WatchedRelay | undefined;
let writing: NodeJS.Timeout | undefined;

beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.url);
  await client.connect();
});
afterEach(async () => {
  clearInterval(writing);
  await watched?.stop();
  watched = undefined;
  await client.end();
  await database.dropByForce();
});

const failed = async () => {
  const { rows } = await client.query("SELECT count(*)::int AS failed FROM outbox_console.delivery WHERE attempts > 0");
  return rows[0].failed;
};

test("10,000 messages that fail keep those behind them waiting only until each was tried", async () => {
  await makeTable(client);
  await client.query(
    `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload, created_at)
     SELECT 'order', 'bad-' || i, 'order.changed', '{}', now() - interval '2 hours' FROM generate_series(1, ${FAILING}) i`,
  );
  let written = 0;
  writing = setInterval(() => {
    written += 1;
    void database.pool.query(INSERT_ONE, [crypto.randomUUID(), String(written % 50), payloadOf(written)]);
  }, 20);
  const relay = await startWatchedRelay({
    url: database.url,
    answer: ({ aggregateId }) => (aggregateId?.startsWith("bad-") ? AMBIGUOUS : PUBLISHED),
  });
  watched = relay;
  await waitFor(async () => (await failed()) === FAILING, { timeoutMs: 120_000, message: "each failure is written" });
  clearInterval(writing);
  await waitFor(() => relay.sink.received.length === written, { message: "the others are out" });
  expect(outOfOrder(relay.sink.received)).toEqual([]);
});

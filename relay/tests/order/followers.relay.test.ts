import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addPending, makeTable, OUTBOX, TABLE } from "#tests/outbox-table.ts";
import { createTestDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { READS, STARTS, startWatchedRelay, type WatchedRelay } from "../../testing/watched-relay.fixture.ts";

const HEADS = 1200;
const BEHIND = 4;
/** More than fits into memory at once. */
const HOT = 3000;

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

/** Messages of aggregates whose first one has failed and waits. */
async function addHeld(): Promise<void> {
  const insert = (aggregate: string, rows: number) =>
    client.query(
      `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload, created_at)
       SELECT 'order', ${aggregate}, 'order.changed', '{}', now() - interval '2 hours' FROM generate_series(0, ${rows - 1}) i`,
    );
  await insert(`'held-' || i % ${HEADS}`, HEADS * (BEHIND + 1));
  await insert("'held-hot'", HOT);
  await client.query(
    `INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, order_key, attempts, next_attempt_at)
     SELECT DISTINCT ON (aggregate_id) '${OUTBOX}', id::text, 'order/' || aggregate_id, ARRAY[seq::text, id::text], 1, now() + interval '1 hour'
     FROM ${TABLE} WHERE aggregate_id LIKE 'held-%' ORDER BY aggregate_id, seq`,
  );
  await client.query(`VACUUM ANALYZE ${TABLE}`);
}

test("what waited behind failed heads goes out in order, and no read begins further back for it", async () => {
  await makeTable(client);
  await addHeld();
  await addPending(client, 100);
  const relay = await startWatchedRelay({ url: database.url });
  watched = relay;
  const { rows } = await client.query(
    `SELECT min(seq)::int AS first FROM ${TABLE} WHERE aggregate_id NOT LIKE 'held-%'`,
  );
  const reads = () => [...relay.asked].filter(([name]) => READS.test(name)).map(([, { values }]) => Number(values[4]));
  await waitFor(() => relay.sink.received.length >= 100 && reads().some((from) => from >= rows[0].first), {
    message: "the watermark is behind what is held",
  });
  relay.forget();
  await client.query("UPDATE outbox_console.delivery SET next_attempt_at = now()");
  await client.query(
    `INSERT INTO outbox_console.audit (outbox, actor, role, action, outcome, detail) VALUES ('${OUTBOX}', 'test', 'operator', 'test', 'ok', '{}')`,
  );
  const held = () => relay.sink.received.filter(({ aggregateId }) => aggregateId?.startsWith("held-"));
  await waitFor(() => held().length === HEADS * (BEHIND + 1) + HOT, { timeoutMs: 120_000, message: "all are out" });
  const last = new Map<string | null, number>();
  for (const { aggregateKey, order } of relay.sink.received) {
    expect(Number(order[0])).toBeGreaterThan(last.get(aggregateKey) ?? 0);
    last.set(aggregateKey, Number(order[0]));
  }
  const asked = [...relay.asked.keys()];
  expect(asked.filter((name) => STARTS.test(name))).toEqual([]);
  expect(asked.filter((name) => name.startsWith("followers"))).not.toEqual([]);
});

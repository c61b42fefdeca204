import { randomUUID } from "node:crypto";
import pg from "pg";
import { expect, test } from "vitest";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { INSERT_ONE, makeTable, payloadOf } from "#tests/outbox-table.ts";
import { testDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { createMemorySink } from "../../sinks/memory/memory-sink.ts";
import { createBenchRelay, openBenchTable } from "../../testing/bench-relay.fixture.ts";

const database = testDatabase();
const SETTINGS = {
  batchSize: 100,
  concurrency: 4,
  onFailure: "block",
  retry: { initialMs: 1000, maxMs: 1000 },
} as const;

test("a row committed among dead ones while a read begins behind them is not overtaken by the next of its aggregate", async () => {
  const client = new pg.Client(database().url);
  const writer = new pg.Client(database().url);
  await Promise.all([client.connect(), writer.connect()]);
  await makeTable(client, { dead: 6000 });
  const [first, second] = [randomUUID(), randomUUID()];
  await writer.query("BEGIN");
  await writer.query(INSERT_ONE, [first, "late", payloadOf(1)]);
  await client.query(
    "INSERT INTO public.bench_outbox (aggregate_type, aggregate_id, event_type, payload, created_at) VALUES ('order', 'early', 'order.changed', '{}', now() - interval '1 hour')",
  );
  const dead = await client.query(
    `WITH one AS (INSERT INTO public.bench_outbox (aggregate_type, aggregate_id, event_type, payload, created_at)
       SELECT 'order', 'dead-' || i, 'order.changed', '{}', now() - interval '1 hour' FROM generate_series(1, 10) i RETURNING id, seq, aggregate_id)
     INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, order_key, attempts, dead_at)
     SELECT 'bench', id::text, 'order/' || aggregate_id, ARRAY[seq::text, id::text], 1, now() FROM one`,
  );
  expect(dead.rowCount).toBe(10);
  await client.query("UPDATE public.bench_outbox SET published_at = now() WHERE aggregate_id = 'early'");

  const real = openBenchTable({ url: database().url, relayId: "one" });
  let committed = false;
  /** Commits right after the query that looked at the dead rows, and has the next event of the aggregate written. */
  const skipDeadRows: RelayTable["skipDeadRows"] = async (after) => {
    const skipped = await real.skipDeadRows(after);
    if (skipped === null || committed) return skipped;
    committed = true;
    await writer.query("COMMIT");
    await writer.query(INSERT_ONE, [second, "late", payloadOf(2)]);
    return skipped;
  };
  const table: RelayTable = Object.assign(Object.create(real), { skipDeadRows });
  const sink = createMemorySink({ maxBatch: 10 });
  const stopping = new AbortController();
  const running = createBenchRelay({ id: "one", table, sink, settings: SETTINGS }).run(stopping.signal);
  try {
    await waitFor(() => sink.received.length >= 2, { message: "both are out" });
    expect(committed).toBe(true);
    expect(sink.received.map(({ id }) => id)).toEqual([first, second]);
  } finally {
    stopping.abort();
    await running.finally(() => table.close());
    await Promise.all([client.end(), writer.end()]);
  }
});

import { afterEach, beforeEach, expect, test } from "vitest";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { OUTBOX, TABLE } from "#tests/outbox-table.ts";
import { waitFor } from "#tests/wait-for.ts";
import { createMemorySink } from "../../sinks/memory/memory-sink.ts";
import { PUBLISHED, type PublishOutcome } from "../../sinks/sink.ts";
import { BENCH_DDL, createBenchRelay, openBenchTable } from "../../testing/bench-relay.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

const COUNT = 10;
const DOWN: PublishOutcome = {
  kind: "failed",
  failure: { code: "unavailable", kind: "environment", message: "HTTP 503" },
};

let harness: RelayHarness;
beforeEach(async () => {
  harness = await openHarness(BENCH_DDL);
});
afterEach(() => harness.close());

const insert = (
  aggregate: string,
  count: number,
) => `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload)
  SELECT 'order', '${aggregate}', 'e', to_jsonb(n) FROM generate_series(0, ${count - 1}) n`;

/** Order left by operators who retry dead messages one by one, newest first. */
const RETRIED = `WITH made AS (${insert("retried", COUNT)} RETURNING *)
  INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, order_key, event_type, created_at, attempts, next_attempt_at)
  SELECT '${OUTBOX}', id::text, 'order/retried', ARRAY[seq::text, id::text], event_type, created_at, 0,
    clock_timestamp() - seq * interval '1 second' FROM made`;

test("a probe takes the first of an aggregate's retried messages, whatever became due earlier", async () => {
  const table = openBenchTable({ url: harness.databaseUrl, relayId: "prober" });
  let [known, works] = [0, false];
  const watched: RelayTable = Object.assign(Object.create(table) as RelayTable, {
    listRetries: async (request: Parameters<RelayTable["listRetries"]>[0]) => {
      const entries = await table.listRetries(request);
      known = Math.max(known, entries.length);
      return entries;
    },
    claimDueRetries: (request: Parameters<RelayTable["claimDueRetries"]>[0]) => {
      works = known === COUNT;
      return table.claimDueRetries(request);
    },
  });
  const sink = createMemorySink({
    answer: ({ aggregateId }) => {
      const first = sink.received.length === 0;
      return works && (!first || aggregateId === "retried") ? PUBLISHED : DOWN;
    },
  });
  const settings = { batchSize: 10, concurrency: 4, onFailure: "block", retry: { initialMs: 1, maxMs: 10 } } as const;
  const relay = createBenchRelay({ id: "prober", table: watched, sink, settings });
  const stopping = new AbortController();
  const running = relay.run(stopping.signal);
  try {
    await harness.pool.query(insert("new", 1));
    const breaker = "SELECT count(*)::int FROM outbox_console.relay_instance WHERE breaker IS NOT NULL";
    await waitFor(async () => (await harness.scalar(breaker)) === 1, { message: "the sink is taken for down" });
    await harness.pool.query(RETRIED);
    await waitFor(() => sink.received.length === COUNT + 1, { message: "all are delivered" });
    const retried = sink.received.filter(({ aggregateId }) => aggregateId === "retried");
    expect(retried.map(({ payload }) => Number(payload))).toEqual(Array.from({ length: COUNT }, (_, n) => n));
  } finally {
    stopping.abort();
    await running;
    await table.close();
  }
});

import type { PoolClient } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { TABLE } from "#tests/outbox-table.ts";
import { waitFor } from "#tests/wait-for.ts";
import { createMemorySink } from "../../sinks/memory/memory-sink.ts";
import { PUBLISHED } from "../../sinks/sink.ts";
import { AMBIGUOUS, BENCH_DDL, createBenchRelay, openBenchTable } from "../../testing/bench-relay.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

let harness: RelayHarness;
let writer: PoolClient;
beforeEach(async () => {
  harness = await openHarness(BENCH_DDL);
  writer = await harness.pool.connect();
});
afterEach(async () => {
  writer.release();
  await harness.close();
});

const insert = (aggregate: string, type: string, n: number) =>
  `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload) VALUES ('order', '${aggregate}', '${type}', '${n}')`;

test("a probe of another event type does not overtake a row committed while the probe is chosen", async () => {
  const table = openBenchTable({ url: harness.databaseUrl, relayId: "prober" });
  let chosen = false;
  const watched: RelayTable = Object.assign(Object.create(table) as RelayTable, {
    findHead: async (request: Parameters<RelayTable["findHead"]>[0]) => {
      const head = await table.findHead(request);
      if (!head || chosen) return head;
      await writer.query("COMMIT");
      chosen = true;
      return head;
    },
  });
  const sink = createMemorySink({ answer: () => (chosen ? PUBLISHED : AMBIGUOUS) });
  const settings = { batchSize: 10, concurrency: 4, onFailure: "block", retry: { initialMs: 1, maxMs: 10 } } as const;
  const relay = createBenchRelay({ id: "prober", table: watched, sink, settings });
  const stopping = new AbortController();
  const running = relay.run(stopping.signal);
  try {
    for (const key of ["a", "b", "c"]) await harness.pool.query(insert(key, "failing", 0));
    const breaker = "SELECT count(*)::int FROM outbox_console.relay_instance WHERE breaker IS NOT NULL";
    await waitFor(async () => (await harness.scalar(breaker)) === 1, { message: "the sink is taken for down" });
    await writer.query("BEGIN");
    await writer.query(insert("late", "other", 0));
    await harness.pool.query(insert("late", "other", 1));
    await waitFor(() => sink.received.length === 5, { message: "all are delivered" });
    const late = sink.received.filter(({ aggregateId }) => aggregateId === "late");
    expect(late.map(({ payload }) => payload)).toEqual(["0", "1"]);
  } finally {
    stopping.abort();
    await running;
    await table.close();
  }
});

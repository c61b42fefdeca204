import { afterEach, beforeEach, expect, test } from "vitest";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { TABLE } from "#tests/outbox-table.ts";
import { waitFor } from "#tests/wait-for.ts";
import { createMemorySink } from "../../sinks/memory/memory-sink.ts";
import { PUBLISHED } from "../../sinks/sink.ts";
import { BENCH_DDL, createBenchRelay, openBenchTable } from "../../testing/bench-relay.fixture.ts";
import { horizonOf } from "../../testing/horizon.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

let harness: RelayHarness;
beforeEach(async () => {
  harness = await openHarness(BENCH_DDL);
});
afterEach(() => harness.close());

test("an owner that sees free partitions before it knows that its term has ended leaves that term at once", async () => {
  const table = openBenchTable({ url: harness.databaseUrl, relayId: "frozen" });
  const settledEpochs = new Set<number>();
  const nextTerm = Promise.withResolvers<null>();
  let frozen = false;
  // The lost term's read after its freeze is answered last.
  const read = { claim: null, more: false, horizon: horizonOf(0, 0), last: null, databaseTimeMs: 0 };
  const watched: RelayTable = Object.assign(Object.create(table) as RelayTable, {
    acquireLease: (request: Parameters<RelayTable["acquireLease"]>[0]) => {
      if (frozen) nextTerm.resolve(null);
      return table.acquireLease(request);
    },
    claimNew: (request: Parameters<RelayTable["claimNew"]>[0]) =>
      frozen && request.lease.epoch === 1 ? nextTerm.promise.then(() => read) : table.claimNew(request),
    settle: (request: Parameters<RelayTable["settle"]>[0]) => {
      settledEpochs.add(request.lease.epoch);
      return table.settle(request);
    },
  });
  let asked = 0;
  const sink = createMemorySink({ answer: () => (++asked === 1 ? new Promise(() => undefined) : PUBLISHED) });
  const settings = { batchSize: 10, concurrency: 4, onFailure: "block", retry: { initialMs: 1, maxMs: 10 } } as const;
  // Renewed every 20 s, so that the heartbeat comes first.
  const relay = createBenchRelay({ id: "frozen", table: watched, sink, settings, leaseMs: 60_000, share: true });
  await harness.pool.query(
    `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload) SELECT 'order', 'a', 'e', '{}' FROM generate_series(1, 2)`,
  );
  const stopping = new AbortController();
  const running = relay.run(stopping.signal);
  try {
    await waitFor(() => asked === 1, { message: "one is with the sink, one waits behind it" });
    frozen = true;
    // Simulates another relay that takes everything over and leaves again.
    await harness.pool.query(
      `WITH ended AS (DELETE FROM outbox_console.claim)
       UPDATE outbox_console.lease SET owner = '', until = clock_timestamp(), epoch = epoch + 1`,
    );
    await waitFor(() => sink.received.length === 2, { message: "both are delivered by the next term" });
    expect([...settledEpochs]).not.toContain(1);
  } finally {
    stopping.abort();
    await running;
    await table.close();
  }
});

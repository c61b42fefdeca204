import { afterEach, beforeEach, expect, test } from "vitest";
import type { ClaimRequest } from "#db/stores/port/relay/claim.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { TABLE } from "#tests/outbox-table.ts";
import { waitFor } from "#tests/wait-for.ts";
import { createMemorySink } from "../../sinks/memory/memory-sink.ts";
import { PUBLISHED, type PublishOutcome } from "../../sinks/sink.ts";
import { AMBIGUOUS, BENCH_DDL, createBenchRelay, openBenchTable } from "../../testing/bench-relay.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

const STALL_MS = 1500;
/** Reads rest for twice as long as the stalls. */
const SOON_MS = 1500;

let harness: RelayHarness;
beforeEach(async () => {
  harness = await openHarness(BENCH_DDL);
});
afterEach(() => harness.close());

/** A table of which two reads that find nothing take long, once `stall` was called. */
function stallingTable(url: string): { table: RelayTable; stall: () => Promise<void>; close: () => Promise<void> } {
  const table = openBenchTable({ url, relayId: "stalled" });
  let left = 0;
  const stalled = Promise.withResolvers<void>();
  const afterwards = async <T>(result: T, nothing: boolean): Promise<T> => {
    if (!nothing || left === 0) return result;
    await new Promise((resolve) => setTimeout(resolve, STALL_MS));
    left -= 1;
    if (left === 0) stalled.resolve();
    return result;
  };
  const stalling: RelayTable = Object.assign(Object.create(table) as RelayTable, {
    claimNew: (request: ClaimRequest) =>
      table.claimNew(request).then((result) => afterwards(result, result.claim === null)),
    hasNew: (request: ClaimRequest) => table.hasNew(request).then((found) => afterwards(found, !found)),
  });
  const stall = () => {
    left = 2;
    return stalled.promise;
  };
  return { table: stalling, stall, close: () => table.close() };
}

test("a message whose attempt fails after reads were slow is tried again when it is due, not when reads go on", async () => {
  const { table, stall, close } = stallingTable(harness.databaseUrl);
  const first = Promise.withResolvers<PublishOutcome>();
  let asked = 0;
  let againMs = Number.POSITIVE_INFINITY;
  const answer = () => {
    asked += 1;
    if (asked === 1) return first.promise;
    againMs = performance.now();
    return PUBLISHED;
  };
  const settings = { batchSize: 10, concurrency: 4, onFailure: "block", retry: { initialMs: 1, maxMs: 10 } } as const;
  const relay = createBenchRelay({ id: "stalled", table, sink: createMemorySink({ answer }), settings });
  await harness.pool.query(
    `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload) VALUES ('order', 'a', 'e', '{}')`,
  );
  const stopping = new AbortController();
  const running = relay.run(stopping.signal);
  try {
    await waitFor(() => asked === 1, { message: "it is with the sink" });
    await stall();
    const failedMs = performance.now();
    first.resolve(AMBIGUOUS);
    await waitFor(() => asked === 2, { message: "it is tried again" });
    expect(againMs - failedMs).toBeLessThan(SOON_MS);
  } finally {
    first.resolve(PUBLISHED);
    stopping.abort();
    await running;
    await close();
  }
});

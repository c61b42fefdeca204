import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { TABLE } from "#tests/outbox-table.ts";
import { createMemorySink } from "../../sinks/memory/memory-sink.ts";
import { BENCH_DDL, createBenchRelay, openBenchTable } from "../../testing/bench-relay.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

let harness: RelayHarness;
beforeEach(async () => {
  harness = await openHarness(BENCH_DDL);
});
afterEach(() => harness.close());

const settings = { batchSize: 10, concurrency: 4, onFailure: "block", retry: { initialMs: 1, maxMs: 10 } } as const;

/** A relay that is asked to stop while the database answers its claim. */
async function stopDuring(method: "claimNew" | "claimSuspect") {
  const table = openBenchTable({ url: harness.databaseUrl, relayId: "stopped" });
  const stopping = new AbortController();
  const slowly = async <Result extends { claim: unknown } | object | null>(claiming: Promise<Result>) => {
    const result = await claiming;
    const isEmpty = result === null || ("claim" in result && result.claim === null);
    if (isEmpty || stopping.signal.aborted) return result;
    stopping.abort();
    await delay(100);
    return result;
  };
  const slow: RelayTable = Object.assign(Object.create(table) as RelayTable, {
    [method]: (input: never) => slowly<object | null>(table[method](input)),
  });
  const sink = createMemorySink();
  await createBenchRelay({ id: "stopped", table: slow, sink, settings }).run(stopping.signal);
  await table.close();
  return sink.received.length;
}

test.each(["claimNew", "claimSuspect"] as const)(
  "a relay that stops during %s leaves no claim behind that would pass for a crash",
  async (method) => {
    await harness.pool.query(
      `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload) VALUES ('order', 'a', 'e', '{}')`,
    );
    const suspects = "SELECT coalesce(sum(orphaned + crashes), 0)::int FROM outbox_console.suspect";
    if (method === "claimSuspect")
      await harness.pool.query(
        `INSERT INTO outbox_console.suspect (outbox, message_id, orphaned, crashes, at)
         SELECT 'bench', id::text, 2, 0, clock_timestamp() FROM ${TABLE}`,
      );
    const before = await harness.scalar(suspects);
    expect(await stopDuring(method)).toBe(0);
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.claim")).toBe(0);
    const next = openBenchTable({ url: harness.databaseUrl, relayId: "next" });
    expect(await next.acquireLease({ owner: "next", leaseMs: 10_000 })).toMatchObject({ orphaned: [] });
    expect(await harness.scalar(suspects)).toBe(before);
    await next.close();
  },
);

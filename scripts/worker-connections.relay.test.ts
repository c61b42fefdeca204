import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { insertEvents, openRelayRuntime, type RelayYaml } from "#relay/testing/outbox.fixture.ts";
import { startRelayProcess } from "#relay/testing/relay-process.fixture.ts";
import { cdcLine, openStreamHarness, type StreamHarness } from "#relay/testing/stream.fixture.ts";
import { databaseUses } from "#services/doctor/database-uses.ts";
import { waitFor } from "#tests/wait-for.ts";

let harness: StreamHarness;
let settings: RelayYaml;

beforeEach(async () => {
  harness = await openStreamHarness();
  const { databaseUrl, slot, receiver } = harness;
  settings = {
    databaseUrl,
    sinkUrl: `${receiver.url}/events`,
    relay: ["source: cdc", cdcLine(slot), "notify: hints"],
    sections: [`console: { databaseUrl: "${databaseUrl}" }`],
  };
});
afterEach(() => harness.close());

/** Connections of our programs to the harness' database, by application name. */
async function connections(): Promise<Record<string, number>> {
  const { rows } = await harness.pool.query<{ name: string; n: number }>(
    `SELECT application_name AS name, count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND (application_name LIKE 'outbox-console%' OR application_name = 'relay test') GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
}

test("a worker opens what doctor counts for its relay, and in all no more than doctor counts for it", async () => {
  const runtime = openRelayRuntime(settings);
  const counted = databaseUses(runtime.config, { processes: ["worker"] }).reduce(
    (sum, { connections: n }) => sum + n,
    0,
  );
  await runtime.close();
  const worker = await startRelayProcess(settings, { program: "scripts/worker.ts" });
  try {
    let most = 0;
    await insertEvents(harness.pool, { count: 500, aggregates: 50 });
    await waitFor(
      async () => {
        const now = await connections();
        most = Math.max(
          most,
          Object.values(now).reduce((sum, n) => sum + n, 0),
        );
        const relay = ["relay", "relay hints", "stream"].map((name) => now[`outbox-console ${name}`]);
        return now["outbox-console worker"] !== undefined && relay.join() === "4,1,1";
      },
      { message: "the worker has opened all that its relay uses" },
    );
    await harness.waitUntilSent();
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(counted);
  } finally {
    worker.kill("SIGTERM");
    await worker.exited;
  }
});

test("a process that reads, writes and pings at once opens what doctor counts for its store and the console side", async () => {
  const runtime = openRelayRuntime({ ...settings, relay: [], sections: [] });
  try {
    const { store } = await runtime.outbox("orders");
    const { records } = store;
    const asked = Array.from({ length: 20 }, () => [
      records.operation(randomUUID()),
      records.operation(randomUUID(), { fresh: true }),
      store.ping(),
      runtime.records?.monitorLease(),
      runtime.records?.ping(),
    ]);
    await Promise.all(asked.flat());
    const uses = databaseUses(runtime.config, { processes: ["worker"], env: {} });
    // Between them is the relay's, which does not run here.
    const [ofStore, , ofConsole] = uses.map(({ connections: n }) => n);
    expect(await connections()).toEqual({ "relay test": (ofStore ?? 0) + (ofConsole ?? 0) });
  } finally {
    await runtime.close();
  }
});

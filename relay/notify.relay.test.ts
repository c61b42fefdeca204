import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { insertEvents } from "./testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "./testing/relay-harness.fixture.ts";

/** After so long without a message a relay looks every 250 ms. */
const IDLE_MS = 2700;

describe("a relay that listens for hints", { timeout: 60_000 }, () => {
  let harness: RelayHarness;
  beforeEach(async () => {
    harness = await openHarness();
    await harness.pool.query(`
      CREATE FUNCTION hint() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NOTIFY "Orders hint"; RETURN NULL; END $$;
      CREATE TRIGGER hint AFTER INSERT ON outbox_events FOR EACH STATEMENT EXECUTE FUNCTION hint()`);
    await harness.start({ relay: ['notify: "Orders hint"'] });
    await waitFor(async () => (await listeners()) === 1, { message: "it listens" });
  });
  afterEach(() => harness.close());

  const HINTS = "application_name = 'outbox-console relay hints' AND query LIKE 'LISTEN%'";
  const listeners = () =>
    harness.scalar(`SELECT count(*)::int FROM pg_stat_activity WHERE ${HINTS} AND datname = current_database()`);

  /** From the commit of an insert into an idle outbox to its arrival. */
  const latencyMs = async () => {
    const idleSinceMs = performance.now();
    await waitFor(() => performance.now() - idleSinceMs > IDLE_MS, { message: "the relay is idle" });
    const before = harness.receiver.requests.length;
    await insertEvents(harness.pool, { count: 1 });
    const committedMs = performance.now();
    await waitFor(() => harness.receiver.requests.length > before, { message: "it arrives", intervalMs: 1 });
    return performance.now() - committedMs;
  };

  const medianMs = async () => {
    const latencies: number[] = [];
    for (let round = 0; round < 5; round += 1) latencies.push(await latencyMs());
    return latencies.sort((left, right) => left - right)[2] ?? 0;
  };

  test("an idle one is sooner with hints than with polls alone", async () => {
    const hintedMs = await medianMs();
    await harness.pool.query("DROP TRIGGER hint ON outbox_events");
    expect(hintedMs).toBeLessThan(await medianMs());
  });

  test("when its connection is cut polling goes on, and hints come back by themselves", async () => {
    await harness.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${HINTS} AND datname = current_database()`,
    );
    await insertEvents(harness.pool, { count: 10 });
    await harness.waitUntilSent(3000);
    await waitFor(async () => (await listeners()) === 1, { timeoutMs: 10_000, message: "it listens again" });
    await insertEvents(harness.pool, { count: 10, from: 10 });
    await harness.waitUntilSent(3000);
    await harness.stop();
    expect(await listeners()).toBe(0);
  });
});

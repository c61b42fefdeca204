import { afterEach, beforeEach, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { insertEvents } from "../../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";
import { type RelayProcess, startRelayProcess } from "../../testing/relay-process.fixture.ts";

let harness: RelayHarness;
let process: RelayProcess | undefined;
beforeEach(async () => {
  harness = await openHarness();
});
afterEach(async () => {
  process?.kill("SIGKILL");
  await process?.exited;
  process = undefined;
  await harness.close();
});

const INSTANTS = `SELECT (SELECT max(at) FROM (VALUES (last_error_at), (last_published_at), ((breaker->>'since')::timestamptz)) AS i(at)) <= clock_timestamp() AS past,
    (SELECT min(at) FROM (VALUES (last_error_at), ((breaker->>'since')::timestamptz), ((breaker->>'nextProbeAt')::timestamptz)) AS i(at)) >= $1::timestamptz AS recent,
    coalesce((breaker->>'nextProbeAt')::timestamptz < clock_timestamp() + interval '11 s', true) AS soon,
    breaker IS NOT NULL AS down, clock_offset_ms AS "offsetMs", breaker->>'since' AS since
  FROM outbox_console.relay_instance`;

test.each([180_000, -180_000])(
  "with a wall clock that is off by %i ms every instant is the database's",
  async (shift) => {
    const { rows: begun } = await harness.pool.query("SELECT clock_timestamp()::text AS at");
    const said = async () => (await harness.pool.query(INSTANTS, [begun[0].at])).rows[0];
    await insertEvents(harness.pool, { count: 8, aggregates: 4 });
    harness.receiver.answerWith({ status: 503 });
    const settings = { databaseUrl: harness.databaseUrl, sinkUrl: `${harness.receiver.url}/events` };
    process = await startRelayProcess({ ...settings, relay: ["maxAttempts: 5"] }, { clockShiftMs: shift });
    await waitFor(async () => (await said())?.down === true && (await said()).offsetMs !== null, {
      timeoutMs: 30_000,
      message: "the breaker is open, and the clock is measured",
    });
    const down = await said();
    expect(down).toMatchObject({ past: true, recent: true, soon: true });
    // The measurement is off by as much as a slow answer took.
    expect(Math.abs(down.offsetMs - shift)).toBeLessThan(10_000);
    const probes = harness.receiver.requests.length;
    await harness.receiver.waitForRequests(probes + 1);
    expect((await said()).since).toBe(down.since);

    // One message fails for a while: its retries come when due, and its attempts have the database's times.
    let failures = 0;
    harness.receiver.answerWith(({ headers }) => {
      if (headers["aggregate-id"] !== "a0" || failures >= 2) return { status: 204 };
      failures += 1;
      return { status: 500 };
    });
    await harness.waitUntilSent(30_000);
    const { rows: attempts } = await harness.pool.query(
      `SELECT bool_and(started_at BETWEEN $1::timestamptz AND clock_timestamp()) AS ok, count(*)::int AS count FROM outbox_console.attempt`,
      [begun[0].at],
    );
    expect(attempts[0]).toMatchObject({ ok: true });
    expect(attempts[0].count).toBeGreaterThan(0);
    await waitFor(
      async () => (await harness.scalar("SELECT last_published_at FROM outbox_console.relay_instance")) !== null,
      {
        message: "it says when it published last",
      },
    );
    expect(await said()).toMatchObject({ past: true });

    process.kill("SIGTERM");
    await process.exited;
    expect(
      await harness.scalar(
        "SELECT state = 'stopped' AND clock_timestamp() - heartbeat_at < interval '3 s' FROM outbox_console.relay_instance",
      ),
    ).toBe(true);
  },
);

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ReceivedRequest } from "#tests/http-receiver.ts";
import { longerTest } from "#tests/longer-test.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type Delivery, distinct, insertEvents, inversions } from "../../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";
import { type RelayProcess, startRelayProcess } from "../../testing/relay-process.fixture.ts";

const bodyOf = (request: ReceivedRequest): Delivery => JSON.parse(request.body.toString("utf8"));

describe("a message that kills the process", { timeout: 360_000 }, () => {
  let harness: RelayHarness;
  let running: RelayProcess | undefined;
  let starts = 0;
  let over = false;
  let supervisor: Promise<void> | undefined;

  beforeEach(async () => {
    harness = await openHarness();
    starts = 0;
    over = false;
  });
  afterEach(async () => {
    over = true;
    running?.kill("SIGKILL");
    await supervisor;
    supervisor = undefined;
    await harness.close();
  });

  /** Starts a relay, and another as soon as it dies, like an init system. */
  const superviseRelay = async (relay: string[] = []) => {
    while (!over) {
      starts += 1;
      running = await startRelayProcess({
        databaseUrl: harness.databaseUrl,
        sinkUrl: `${harness.receiver.url}/events`,
        relay: ["lease: 1s", ...relay],
      });
      await running.exited;
    }
  };
  const count = (table: string) => harness.scalar(`SELECT count(*)::int FROM outbox_console.${table}`);
  /** The relay dies as soon as a poison message is in flight. */
  const poison = (isPoison: (delivery: Delivery) => boolean) =>
    harness.receiver.answerWith((request) => {
      if (!isPoison(bodyOf(request))) return { status: 204, delayMs: 5 };
      running?.kill("SIGKILL");
      return "hang";
    });

  test("is found among hundreds and dead-lettered; every other is published and none of them has an attempt", async () => {
    await insertEvents(harness.pool, { count: 600, aggregates: 60 });
    poison(({ aggregate, n }) => aggregate === "a7" && n === 2);
    supervisor = superviseRelay();
    await waitFor(async () => (await count("dead_letter")) === 1, {
      timeoutMs: 240_000,
      message: "the poison is dead",
    });
    await harness.waitUntilSent(150_000);

    const dead = await harness.pool.query(
      "SELECT image, attempts, last_error_code, first_error_code FROM outbox_console.dead_letter",
    );
    expect(dead.rows).toEqual([
      expect.objectContaining({ attempts: 3, first_error_code: "crash", last_error_code: "crash" }),
    ]);
    expect(dead.rows[0].image.payload).toEqual({ aggregate: "a7", n: 2 });
    const attempts = await harness.pool.query("SELECT number, outcome, code FROM outbox_console.attempt ORDER BY id");
    expect(attempts.rows).toEqual([
      { number: 1, outcome: "failed", code: "crash" },
      { number: 2, outcome: "failed", code: "crash" },
      { number: 3, outcome: "dead", code: "crash" },
    ]);
    expect(distinct(harness.deliveries())).toBe(600);
    expect(inversions(harness.deliveries())).toEqual([]);
    // Twice among others, three times alone, then a last start that dead-letters it.
    expect(starts).toBe(6);
    await waitFor(async () => (await count("suspect")) === 0, { message: "nobody is suspected any more" });
    expect(await count("delivery")).toBe(0);
  });

  longerTest("two of them are quarantined in turn, and both are found", async () => {
    await insertEvents(harness.pool, { count: 60, aggregates: 6 });
    poison(({ aggregate, n }) => aggregate === "a1" && (n === 2 || n === 3));
    supervisor = superviseRelay();
    await waitFor(async () => (await count("dead_letter")) === 2, { timeoutMs: 240_000, message: "both are dead" });
    await harness.waitUntilSent(150_000);
    expect(await harness.scalar("SELECT count(DISTINCT message_id)::int FROM outbox_console.attempt")).toBe(2);
    expect(inversions(harness.deliveries())).toEqual([]);
    expect(starts).toBeLessThanOrEqual(11);
  });

  test("two kills that no message caused cost no attempts", async () => {
    await insertEvents(harness.pool, { count: 400, aggregates: 40 });
    let held = true;
    harness.receiver.answerWith(() => (held ? "hang" : { status: 204 }));
    supervisor = superviseRelay();
    for (let kill = 0; kill < 2; kill += 1) {
      const before = harness.receiver.requests.length;
      await waitFor(() => harness.receiver.requests.length >= before + 10, {
        timeoutMs: 150_000,
        message: "the next one publishes",
      });
      running?.kill("SIGKILL");
      await running?.exited;
    }
    held = false;
    await harness.waitUntilSent(150_000);
    expect(await count("dead_letter")).toBe(0);
    expect(await count("attempt")).toBe(0);
    expect(await count("delivery")).toBe(0);
    expect(inversions(harness.deliveries())).toEqual([]);
    expect(starts).toBe(3);
    await waitFor(async () => (await count("suspect")) === 0, { message: "nobody is suspected any more" });
  });
});

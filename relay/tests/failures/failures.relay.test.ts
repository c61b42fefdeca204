import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ReceivedRequest, startHttpReceiver } from "#tests/http-receiver.ts";
import { longerTest } from "#tests/longer-test.ts";
import { waitFor } from "#tests/wait-for.ts";
import { distinct, insertEvents, inversions } from "../../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

const aggregateOf = (request: ReceivedRequest) => String(request.headers["aggregate-id"]);
const nOf = (request: ReceivedRequest): number => JSON.parse(request.body.toString("utf8")).n;

describe("failures", () => {
  let harness: RelayHarness;
  beforeEach(async () => {
    harness = await openHarness();
  });
  afterEach(() => harness.close());

  const confirmed = () => harness.deliveries();

  test("a poison message blocks only its aggregate, and is dead after the last attempt with both errors", async () => {
    await insertEvents(harness.pool, { count: 60, aggregates: 6 });
    let tries = 0;
    harness.receiver.answerWith((request) => {
      if (aggregateOf(request) !== "a1" || nOf(request) !== 3) return { status: 204 };
      tries += 1;
      return { status: 500, body: tries === 1 ? "first trouble" : `trouble ${tries}` };
    });
    await harness.start({ relay: ["maxAttempts: 3"] });
    await waitFor(async () => (await harness.scalar("SELECT count(*)::int FROM outbox_console.dead_letter")) === 1, {
      message: "the poison is dead",
    });
    await harness.waitUntilSent();
    const others = harness.receiver.requests.filter((request) => aggregateOf(request) !== "a1");
    expect(others).toHaveLength(50);
    expect(tries).toBe(3);
    const a1 = harness.receiver.requests.filter((request) => aggregateOf(request) === "a1").map(nOf);
    expect(a1).toEqual([0, 1, 2, 3, 3, 3, 4, 5, 6, 7, 8, 9]);
    const { rows } = await harness.pool.query("SELECT * FROM outbox_console.dead_letter");
    expect(rows[0]).toMatchObject({
      attempts: 3,
      dead_by: "relay",
      first_error: "HTTP 500: first trouble",
      last_error: "HTTP 500: trouble 3",
      last_error_code: "server_error",
      image: { payload: { n: 3, aggregate: "a1" } },
    });
    const attempts = await harness.pool.query("SELECT number, outcome FROM outbox_console.attempt ORDER BY id");
    expect(attempts.rows).toEqual([
      { number: 1, outcome: "failed" },
      { number: 2, outcome: "failed" },
      { number: 3, outcome: "dead" },
    ]);
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.delivery")).toBe(0);
  });

  test("a message that succeeds after failures keeps its order and its history", async () => {
    await insertEvents(harness.pool, { count: 12, aggregates: 3 });
    let failures = 0;
    harness.receiver.answerWith((request) => {
      if (aggregateOf(request) === "a0" && nOf(request) === 0 && failures < 2) {
        failures += 1;
        return { status: 500 };
      }
      return { status: 204 };
    });
    await harness.start();
    await harness.waitUntilSent();
    const a0 = harness.receiver.requests.filter((request) => aggregateOf(request) === "a0").map(nOf);
    expect(a0).toEqual([0, 0, 0, 1, 2, 3]);
    const attempts = await harness.pool.query("SELECT number, outcome FROM outbox_console.attempt ORDER BY id");
    expect(attempts.rows.map((row) => row.outcome)).toEqual(["failed", "failed", "published"]);
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.delivery")).toBe(0);
  });

  test("a message that is rejected permanently is dead at once; later ones pass", async () => {
    await insertEvents(harness.pool, { count: 6, aggregates: 2 });
    harness.receiver.answerWith((request) =>
      aggregateOf(request) === "a0" && nOf(request) === 1 ? { status: 422, body: "no such currency" } : { status: 204 },
    );
    await harness.start();
    await harness.waitUntilSent();
    expect(harness.receiver.requests).toHaveLength(6);
    const { rows } = await harness.pool.query(
      "SELECT attempts, last_error, last_error_code FROM outbox_console.dead_letter",
    );
    expect(rows).toEqual([{ attempts: 1, last_error: "HTTP 422: no such currency", last_error_code: "rejected" }]);
  });

  test("with onFailure: pass later messages of the aggregate overtake the failed one", async () => {
    await insertEvents(harness.pool, { count: 4, aggregates: 1 });
    harness.receiver.answerNext({ status: 500 });
    await harness.start({ relay: ["onFailure: pass"] });
    await harness.waitUntilSent();
    expect(harness.receiver.requests.map(nOf).sort()).toEqual([0, 0, 1, 2, 3]);
  });

  test("a consumer that is down for seconds uses up no attempts, and gets everything in order afterwards", async () => {
    await insertEvents(harness.pool, { count: 100, aggregates: 10 });
    harness.receiver.answerWith({ status: 503, body: "maintenance" });
    await harness.start({ relay: ["maxAttempts: 2"] });
    await waitFor(
      async () =>
        (await harness.scalar("SELECT breaker->>'code' FROM outbox_console.relay_instance")) === "unavailable",
      { message: "the breaker is open" },
    );
    await harness.receiver.waitForRequests(harness.receiver.requests.length + 2);
    expect(await harness.scalar("SELECT state FROM outbox_console.relay_instance")).toBe("holding");
    const refused = harness.receiver.requests.length;
    harness.receiver.answerWith({ status: 204 });
    await harness.waitUntilSent();
    const delivered = confirmed().slice(refused);
    expect(distinct(delivered)).toBe(100);
    expect(inversions(delivered)).toEqual([]);
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.attempt")).toBe(0);
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.delivery")).toBe(0);
  });

  longerTest("messages in flight to a consumer that goes down use up no attempt either", async () => {
    harness.receiver.answerWith("hang");
    await harness.start({ relay: ["maxAttempts: 2"] });
    await insertEvents(harness.pool, { count: 2, aggregates: 2 });
    await harness.receiver.waitForRequests(2);
    await harness.receiver.close();
    await insertEvents(harness.pool, { count: 1, aggregates: 1, prefix: "later" });
    await waitFor(
      async () =>
        (await harness.scalar("SELECT breaker->>'code' FROM outbox_console.relay_instance")) === "unreachable",
      { message: "the breaker is open" },
    );
    const back = await startHttpReceiver({ port: harness.receiver.port });
    try {
      await harness.waitUntilSent();
      expect(distinct(back.requests.map((request) => JSON.parse(request.body.toString("utf8"))))).toBe(3);
      expect(
        await harness.scalar("SELECT count(*)::int FROM outbox_console.attempt WHERE outcome IN ('failed', 'dead')"),
      ).toBe(0);
    } finally {
      await back.close();
    }
  });

  longerTest("a message that takes its consumer down again and again eventually runs out of attempts", async () => {
    harness.receiver.answerWith("hang");
    await harness.start({ relay: ["maxAttempts: 1"] });
    await insertEvents(harness.pool, { count: 1, aggregates: 1, prefix: "bomb" });
    let receiver = harness.receiver;
    const isBomb = (request: ReceivedRequest) => aggregateOf(request).startsWith("bomb");
    const breaker = () => harness.scalar("SELECT breaker->>'code' FROM outbox_console.relay_instance");
    const isDead = async () => (await harness.scalar("SELECT count(*)::int FROM outbox_console.dead_letter")) === 1;
    for (let fall = 0; fall < 3; fall += 1) {
      // The breaker's state is as of the last heartbeat: wait until it is closed, so that its next opening is a new
      // one.
      await waitFor(async () => (receiver.requests.some(isBomb) && (await breaker()) === null) || (await isDead()), {
        message: "the consumer has the bomb again",
      });
      await receiver.close();
      await insertEvents(harness.pool, { count: 1, aggregates: 1, prefix: `bystander${fall}` });
      await waitFor(async () => (await breaker()) === "unreachable" || (await isDead()), {
        message: "the fall is noticed",
      });
      receiver = await startHttpReceiver({ port: harness.receiver.port });
      receiver.answerWith((request) => (isBomb(request) ? "hang" : { status: 204 }));
    }
    try {
      await waitFor(isDead, { message: "the bomb is dead" });
    } finally {
      await receiver.close();
    }
  });

  test("three aggregates that fail ambiguously in a row put the sink at fault, and their attempts are returned", async () => {
    await insertEvents(harness.pool, { count: 40, aggregates: 8 });
    harness.receiver.answerWith({ status: 500 });
    await harness.start({ relay: ["maxAttempts: 2"] });
    await waitFor(
      async () =>
        (await harness.scalar("SELECT breaker->>'code' FROM outbox_console.relay_instance")) === "server_error",
      { message: "the breaker is open" },
    );
    harness.receiver.answerWith({ status: 204 });
    await harness.waitUntilSent();
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.dead_letter")).toBe(0);
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.delivery")).toBe(0);
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.attempt WHERE outcome = 'failed'")).toBe(0);
  });

  test("attempts written before the sink was found at fault are returned", async () => {
    harness.receiver.answerWith({ status: 500 });
    await harness.start({ relay: ["maxAttempts: 50", "onFailure: block"] });
    await insertEvents(harness.pool, { count: 2, aggregates: 1, prefix: "alone" });
    await waitFor(async () => Number(await harness.scalar("SELECT max(attempts) FROM outbox_console.delivery")) >= 2, {
      message: "two attempts are charged",
    });
    await insertEvents(harness.pool, { count: 4, aggregates: 4, prefix: "more" });
    await waitFor(
      async () =>
        (await harness.scalar("SELECT breaker->>'code' FROM outbox_console.relay_instance")) === "server_error",
      { message: "the breaker is open" },
    );
    await waitFor(async () => (await harness.scalar("SELECT count(*)::int FROM outbox_console.delivery")) === 0, {
      message: "nothing counts as failed",
    });
    harness.receiver.answerWith({ status: 204 });
    await harness.waitUntilSent();
    expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.attempt WHERE outcome <> 'given_back'")).toBe(
      0,
    );
  });

  test("a blocked aggregate and a hot aggregate do not starve others", async () => {
    harness.receiver.answerWith((request) => {
      if (aggregateOf(request) === "blocked0") return { status: 500 };
      return aggregateOf(request) === "hot0" ? { status: 204, delayMs: 5 } : { status: 204 };
    });
    await insertEvents(harness.pool, { count: 3000, prefix: "blocked" });
    await insertEvents(harness.pool, { count: 3000, prefix: "hot" });
    await insertEvents(harness.pool, { count: 300, aggregates: 30, prefix: "cold" });
    await harness.start({ relay: ["maxAttempts: 1000", "batchSize: 100"] });
    const count = (prefix: string) =>
      harness.receiver.requests.filter((request) => aggregateOf(request).startsWith(prefix)).length;
    await waitFor(() => count("cold") >= 300, { message: "the others got through" });
    expect(count("hot")).toBeLessThan(3000);
    const hot = harness.deliveries().filter(({ aggregate }) => aggregate === "hot0");
    expect(inversions(hot)).toEqual([]);
    const blocked = harness.deliveries().filter(({ aggregate }) => aggregate === "blocked0");
    expect(blocked.every(({ n }) => n === 0)).toBe(true);
  });

  test("a pause during an outage does not prevent later probes of the breaker", async () => {
    await insertEvents(harness.pool, { count: 10, aggregates: 2 });
    harness.receiver.answerWith({ status: 503 });
    await harness.start();
    const state = () => harness.scalar("SELECT state FROM outbox_console.relay_instance");
    await waitFor(async () => (await state()) === "holding", { message: "the breaker is open" });
    await harness.pool.query("INSERT INTO outbox_console.pause (outbox, reason, by) VALUES ('orders', 'test', 'me')");
    await waitFor(async () => (await state()) === "paused", { message: "it is paused" });
    harness.receiver.answerWith({ status: 204 });
    await harness.pool.query("DELETE FROM outbox_console.pause");
    await harness.waitUntilSent();
  });
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runDynamodb } from "#tests/dynamodb/run-dynamodb.ts";
import { longerTest } from "#tests/longer-test.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type DynamodbHarness, openDynamodbHarness } from "../../testing/dynamodb-harness.fixture.ts";
import { type Delivery, distinct, inversions } from "../../testing/outbox.fixture.ts";
import { type RelayProcess, startRelayProcess } from "../../testing/relay-process.fixture.ts";

/** The time of a DynamoDB server has whole seconds, so a busy machine may lose a shorter one. */
const LEASE = "lease: 6s";
/** A second loss of the lease would send the messages in flight a third time. */
const LONG_LEASE = "lease: 20s";
const textOf = ({ aggregate, n }: Delivery) => `${aggregate}/${n}`;

describe("relays over a DynamoDB table that die", { timeout: 300_000 }, () => {
  let harness: DynamodbHarness;
  let processes: RelayProcess[] = [];
  beforeEach(async () => {
    harness = await openDynamodbHarness();
    harness.receiver.answerWith({ status: 204, delayMs: 10 });
  });
  afterEach(async () => {
    for (const { kill, exited } of processes) {
      kill("SIGKILL");
      await exited;
    }
    processes = [];
    await harness.close();
  });

  const spawn = async (lease = LEASE) => {
    const started = await startRelayProcess({ yaml: harness.yaml([lease]) });
    processes.push(started);
    return started;
  };
  const owners = async () => {
    const { store } = harness.shop.open();
    const { leases } = await store.records.relays("orders");
    return new Set(leases.filter(({ expired, owner }) => !expired && owner !== "").map(({ owner }) => owner)).size;
  };
  const untilOwners = (count: number) =>
    waitFor(async () => (await owners()) === count, { timeoutMs: 150_000, message: `${count} relays own` });
  const duplicates = (deliveries: readonly Delivery[]) => {
    const seen = new Set<string>();
    return deliveries.map(textOf).filter((text) => seen.size === seen.add(text).size);
  };
  /** Events that were received and are not marked. */
  const receivedUnmarked = async () => {
    const items = await harness.shop.tables.all(harness.shop.table);
    const waiting = items.filter(({ unpublished }) => unpublished).map(({ payload }) => JSON.parse(payload?.S ?? ""));
    const received = new Set(harness.deliveries().map(textOf));
    return waiting.map(textOf).filter((text) => received.has(text));
  };

  test("kill -9 in the middle of a batch: nothing is lost, and only what was in flight is sent again", async () => {
    await harness.insert({ count: 400, aggregates: 20 });
    const first = await spawn(LONG_LEASE);
    await untilOwners(1);
    await harness.receiver.waitForRequests(120);
    first.kill("SIGKILL");
    await first.exited;
    await harness.receiver.waitUntilLeft();
    const inFlight = await receivedUnmarked();
    const second = await spawn(LONG_LEASE);
    await harness.waitUntilSent(150_000);
    const deliveries = harness.deliveries();
    expect(distinct(deliveries)).toBe(400);
    expect(inversions(deliveries)).toEqual([]);
    const again = duplicates(deliveries);
    expect(again.filter((text) => !inFlight.includes(text))).toEqual([]);
    expect(new Set(again).size, `the relay's log: ${second.log()}`).toBe(again.length);
  });

  longerTest("two share the outbox, and one takes over when the other is killed", async () => {
    await harness.insert({ count: 300, aggregates: 30 });
    const first = await spawn();
    await untilOwners(1);
    await spawn();
    await untilOwners(2);
    await harness.insert({ count: 300, aggregates: 30, from: 10 });
    await harness.receiver.waitForRequests(320);
    first.kill("SIGKILL");
    await first.exited;
    await harness.waitUntilSent(150_000);
    expect(distinct(harness.deliveries())).toBe(600);
    expect(inversions(harness.deliveries())).toEqual([]);
    await untilOwners(1);
  });
});

describe("a relay whose DynamoDB server dies", { timeout: 300_000 }, () => {
  test("goes on when the server is back, with nothing lost and nothing overtaken", async ({ skip }) => {
    const server = await runDynamodb({ keeps: true }).catch((error: Error) => {
      if (error.name !== "DynamodbUnavailable") throw error;
      return skip(error.message);
    });
    const harness = await openDynamodbHarness(server.url);
    harness.receiver.answerWith({ status: 204, delayMs: 10 });
    await harness.insert({ count: 300, aggregates: 20 });
    await harness.start([LEASE]);
    await harness.receiver.waitForRequests(100);
    await server.restart();
    await harness.insert({ count: 100, aggregates: 20, from: 15 });
    await harness.waitUntilSent(150_000);
    expect(distinct(harness.deliveries())).toBe(400);
    expect(inversions(harness.deliveries())).toEqual([]);
    await harness.close();
    await server.remove();
  });
});

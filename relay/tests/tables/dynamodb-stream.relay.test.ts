import { UpdateTableCommand } from "@aws-sdk/client-dynamodb";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cdcNames } from "#services/config/cdc-names.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type DynamodbHarness, openDynamodbHarness } from "../../testing/dynamodb-harness.fixture.ts";
import { distinct, inversions } from "../../testing/outbox.fixture.ts";

const NAMES = cdcNames("orders", { mark: "column" });

describe("a relay that reads the stream of a DynamoDB table", () => {
  let harness: DynamodbHarness;
  beforeEach(async () => {
    harness = await openDynamodbHarness();
  });
  afterEach(() => harness.close());

  const createStream = () => harness.shop.open().outbox.createStream(NAMES);
  const stateOf = async () => {
    const { relays } = await harness.shop.open().store.records.relays("orders");
    return relays[0]?.stream ?? null;
  };
  const untilConnected = (connected = true) =>
    waitFor(async () => (await stateOf())?.connected === connected, {
      timeoutMs: 60_000,
      message: `the stream is ${connected ? "read" : "not read"}`,
    });
  const switchStream = async (StreamEnabled: boolean) => {
    const { client } = harness.shop.tables;
    const StreamSpecification = StreamEnabled
      ? ({ StreamEnabled, StreamViewType: "NEW_IMAGE" } as const)
      : { StreamEnabled };
    await client.send(new UpdateTableCommand({ TableName: harness.shop.table, StreamSpecification }));
  };

  test("publishes what was there before, what the stream tells, and starts again where it was", async () => {
    await harness.insert({ count: 40, aggregates: 4 });
    await createStream();
    await harness.start(["source: cdc"]);
    await harness.waitUntilSent();
    await untilConnected();
    await harness.insert({ count: 40, aggregates: 4, from: 10 });
    await harness.waitUntilSent();
    await harness.stop();
    await harness.insert({ count: 40, aggregates: 4, from: 20 });
    await harness.start(["source: cdc"]);
    await harness.waitUntilSent();
    const deliveries = harness.deliveries();
    expect([deliveries.length, distinct(deliveries), inversions(deliveries)]).toEqual([120, 120, []]);
  });

  test("without a stream it polls, and says what to run", async () => {
    await harness.start(["source: cdc"]);
    await harness.insert({ count: 10, aggregates: 2 });
    await harness.waitUntilSent();
    await waitFor(() => harness.logged().includes("has no stream"), { message: "the log tells of the stream" });
  });

  test("a stream that is switched off and on again is told, and nothing is missed meanwhile", async () => {
    await createStream();
    await harness.start(["source: cdc"]);
    await untilConnected();
    await switchStream(false);
    await untilConnected(false);
    await harness.insert({ count: 20, aggregates: 4 });
    await switchStream(true);
    await harness.insert({ count: 20, aggregates: 4, from: 5 });
    await harness.waitUntilSent();
    expect(distinct(harness.deliveries())).toBe(40);
    expect(inversions(harness.deliveries())).toEqual([]);
    await waitFor(() => /switched off and on again|has no stream/.test(harness.logged()), {
      timeoutMs: 60_000,
      message: "the log tells of the new stream",
    });
    await untilConnected();
    await harness.insert({ count: 20, aggregates: 4, from: 10 });
    await harness.waitUntilSent();
    expect(distinct(harness.deliveries())).toBe(60);
  });
});

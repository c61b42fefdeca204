import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { BROKER_KINDS } from "./broker-kinds.ts";
import { ownBroker } from "./own-broker.ts";
import { probeBroker } from "./probe-broker.ts";
import { ROUND_TRIP_CLIENTS } from "./round-trip-clients.ts";
import { testBroker } from "./test-broker.ts";
import { uniqueName } from "./unique-name.ts";

/** Limit for three starts, each of which may take a minute on a loaded machine. */
const STARTS_WITHIN_MS = 300_000;

describe.each(BROKER_KINDS)("%s", (kind) => {
  const shared = testBroker(kind);

  test("the shared broker answers", async () => {
    const [client, name] = [ROUND_TRIP_CLIENTS[kind](shared()), uniqueName()];
    await client.write(name, "hello");
    expect(await client.read(name)).toBe("hello");
  });

  test("an own broker keeps port and data through a stop and SIGKILL", { timeout: STARTS_WITHIN_MS }, async () => {
    const broker = await ownBroker(kind);
    const client = ROUND_TRIP_CLIENTS[kind](broker);
    await client.write("kept", "hello");
    await broker.restart();
    expect(await client.read("kept")).toBe("hello");
    // RabbitMQ writes a new queue to disk with a delay, its messages at once. The stop has written this one.
    await client.write("kept", "hello");
    await broker.kill();
    expect(broker.isRunning()).toBe(false);
    expect(await probeBroker(kind, broker.host, broker.port)).toBeNull();
    await broker.start();
    expect(await client.read("kept")).toBe("hello");
    await broker.remove();
    expect(existsSync(broker.folder)).toBe(false);
  });
});

import { createClient } from "@redis/client";
import { Redis } from "ioredis";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Broker } from "../../tests/brokers/broker.ts";
import { testBroker } from "../../tests/brokers/test-broker.ts";
import { isClientError } from "../errors.ts";
import { contractEvents } from "../testing/contract-events.ts";
import { contractMessage } from "../testing/inbox-contract.ts";
import { type ExpiringDedupeOptions, expiringDedupe, ioredis, nodeRedis, type RunScript } from "./expiring-dedupe.ts";

const redis = testBroker("redis");

const CLIENTS: Record<string, (broker: Broker) => Promise<RunScript>> = {
  ioredis: async ({ host, port }) => {
    const client = new Redis({ host, port });
    onTestFinished(() => client.disconnect());
    return ioredis(client);
  },
  "node-redis": async ({ url }) => {
    const client = createClient({ url });
    await client.connect();
    onTestFinished(() => client.destroy());
    return nodeRedis(client);
  },
};

const PROCESSED = { outcome: "processed", duplicate: false, remembered: true, overtaken: false };

describe.each(Object.entries(CLIENTS))("over %s", (_, connect) => {
  const open = async (options: Partial<ExpiringDedupeOptions> = {}) =>
    expiringDedupe(contractEvents, { via: await connect(redis()), consumer: "cache", keepFor: "1h", ...options });

  test("a repeat is recognised, by each consumer for itself", async () => {
    const message = contractMessage();
    const dedupe = await open();
    expect(await dedupe.mostlyOnce(message, async ({ payload }) => payload.note)).toEqual({
      ...PROCESSED,
      result: "one",
    });
    expect(await dedupe.mostlyOnce(message, async () => "again")).toEqual({ outcome: "duplicate", duplicate: true });
    const other = await open({ consumer: "mails" });
    expect(await other.mostlyOnce(message, async () => "own")).toMatchObject({ result: "own" });
  });

  test("a consumer's name and an id that read alike together are two messages", async () => {
    const id = crypto.randomUUID();
    for (const [consumer, own] of [
      [`a:${id}`, "c"],
      ["a", `${id}:c`],
      [`a%3A${id}`, "c"],
    ] as const)
      expect(await (await open({ consumer })).mostlyOnce(contractMessage(own), async () => "own")).toMatchObject({
        outcome: "processed",
      });
  });

  test("of 1,000 deliveries at the same time one runs", async () => {
    const message = contractMessage();
    const dedupe = await open();
    let effects = 0;
    const work = async () => {
      effects += 1;
    };
    const results = await Promise.all(Array.from({ length: 1000 }, () => dedupe.mostlyOnce(message, work)));
    expect(effects).toBe(1);
    expect(results.filter(({ outcome }) => outcome === "processed")).toHaveLength(1);
  });

  test("work that fails lets the next delivery begin at once", async () => {
    const message = contractMessage();
    const dedupe = await open();
    await expect(dedupe.mostlyOnce(message, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await dedupe.mostlyOnce(message, async () => "later")).toEqual({ ...PROCESSED, result: "later" });
  });

  test("a command that the client sends again, because its answer was lost, changes nothing", async () => {
    const message = contractMessage();
    const run = await connect(redis());
    const twice: RunScript = async (...command) => {
      await run(...command);
      return run(...command);
    };
    const dedupe = await open({ via: twice });
    expect(await dedupe.mostlyOnce(message, async () => "one")).toEqual({ ...PROCESSED, result: "one" });
    expect(await dedupe.mostlyOnce(message, async () => "again")).toEqual({ outcome: "duplicate", duplicate: true });
  });

  test("a message that was forgotten is processed again", async () => {
    const message = contractMessage();
    const dedupe = await open({ keepFor: 1 });
    await dedupe.mostlyOnce(message, async () => undefined);
    await expect.poll(async () => (await dedupe.mostlyOnce(message, async () => "again")).outcome).toBe("processed");
  });

  test("work that outlives its hold says that another delivery may have run", async () => {
    const message = contractMessage();
    const dedupe = await open({ holdFor: 1 });
    const second: unknown[] = [];
    const first = await dedupe.mostlyOnce(message, async () => {
      await expect
        .poll(async () => second[second.push(await dedupe.mostlyOnce(message, async () => "too")) - 1])
        .toMatchObject({ outcome: "processed" });
    });
    expect(first).toMatchObject({ ...PROCESSED, overtaken: true });
  });
});

test("a mark that cannot be set says so, and the message need not come again", async () => {
  const connected = await CLIENTS.ioredis?.(redis());
  const via: RunScript = (script, key, values) =>
    script.includes("'SET', KEYS[1], 'done'")
      ? Promise.reject(new Error("gone"))
      : (connected?.(script, key, values) ?? Promise.reject(new Error("not connected")));
  const dedupe = expiringDedupe(contractEvents, { via, consumer: "cache", keepFor: "1h" });
  expect(await dedupe.mostlyOnce(contractMessage(), async () => "done")).toMatchObject({
    outcome: "processed",
    remembered: false,
  });
});

test("a payload that does not fit is refused, and a type that is unknown is refused or skipped", async () => {
  const via = (await CLIENTS.ioredis?.(redis())) as RunScript;
  const open = (unknownTypes: "refuse" | "skip") =>
    expiringDedupe(contractEvents, { via, consumer: "cache", keepFor: "1h", unknownTypes });
  const work = async () => undefined;
  const unknown = { ...contractMessage(), type: "another" };
  await expect(open("refuse").mostlyOnce({ ...contractMessage(), payload: 7 }, work)).rejects.toSatisfy((error) =>
    isClientError(error, "invalid_payload"),
  );
  await expect(open("refuse").mostlyOnce(unknown, work)).rejects.toThrow(/no event "another"/);
  expect(await open("skip").mostlyOnce(unknown, work)).toEqual({ outcome: "skipped", duplicate: false });
  expect(() => expiringDedupe(contractEvents, { via, consumer: "cache", keepFor: 0 })).toThrow(/at least a millisec/);
});

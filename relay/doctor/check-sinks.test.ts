import { expect, test } from "vitest";
import { configSchema } from "#services/config/config-schema.ts";
import { findFreePort } from "#tests/free-port.ts";
import { startHttpReceiver } from "#tests/http-receiver.ts";
import { checkSinks } from "./check-sinks.ts";

test("every sink in use is checked and reports why it is unusable, without secrets", async () => {
  const receiver = await startHttpReceiver();
  const port = await findFreePort();
  const sinks = {
    hook: { kind: "http", url: `${receiver.url}/events` },
    stream: { kind: "redis", url: `redis://:secret@127.0.0.1:${port}` },
    bus: { kind: "nats", servers: [`127.0.0.1:${port}`], token: "secret" },
    queue: { kind: "rabbitmq", url: `amqp://me:secret@127.0.0.1:${port}` },
    topic: { kind: "kafka", brokers: [`127.0.0.1:${port}`] },
    unused: { kind: "log" },
  };
  const outboxes = Object.fromEntries(
    Object.keys(sinks)
      .filter((name) => name !== "unused")
      .map((sink) => [sink, { table: "t", mode: "relay", relay: { sink } }]),
  );
  const stores = { default: { kind: "postgres", url: "postgres://127.0.0.1/x" } };
  const checks = await checkSinks(configSchema.parse({ stores, outboxes, sinks }));
  expect(receiver.requests).toEqual([]);
  await receiver.close();
  expect(checks.map(({ name, failure }) => [name, failure?.code ?? "reached"])).toEqual([
    ["hook", "reached"],
    ["stream", "unreachable"],
    ["bus", "unreachable"],
    ["queue", "unreachable"],
    ["topic", "unreachable"],
  ]);
  expect(JSON.stringify(checks)).not.toContain("secret");
});

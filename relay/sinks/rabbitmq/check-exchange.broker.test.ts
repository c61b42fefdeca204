import { expect, onTestFinished, test } from "vitest";
import { checkTopics } from "#relay/doctor/check-topics.ts";
import { parseConfig } from "#services/config/load-config.ts";
import { openRuntime } from "#services/runtime.ts";
import { testBroker } from "#tests/brokers/test-broker.ts";
import { testDatabase } from "#tests/postgres.ts";
import { insertEvents, OUTBOX_DDL } from "../../testing/outbox.fixture.ts";
import { openSide } from "./rabbitmq-side.fixture.ts";

const broker = testBroker("rabbitmq");
const database = testDatabase();

test("the check of an exchange says what it looked at, and that routing keys cannot be checked", async () => {
  await database().pool.query(OUTBOX_DDL);
  await insertEvents(database().pool, { count: 1 });
  const side = await openSide(broker());
  onTestFinished(() => side.close());
  const yaml = `
stores: { shop: { kind: postgres, url: "${database().url}" } }
outboxes:
  orders: { store: shop, table: public.outbox_events, mode: relay, relay: { sink: bus, route: { topic: "none.{eventType}" } } }
sinks: { bus: { kind: rabbitmq, url: "${broker().url}", exchange: ${side.exchange} } }`;
  const runtime = openRuntime({ config: parseConfig(yaml, {}, "test"), applicationName: "topics test", env: {} });
  onTestFinished(() => runtime.close());
  const lines: string[] = [];
  await checkTopics(runtime, new Set(["bus"]), {
    ok: (text) => lines.push(`ok ${text}`),
    advise: () => undefined,
    bad: (text) => lines.push(text),
  });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`ok outbox orders: the exchange ${side.exchange} exists; the broker does not say`);
  expect(lines[0]).toContain("whether a queue is bound for each routing key");
  expect(lines[0]).toMatch(/none\.order\.changed$/);
});

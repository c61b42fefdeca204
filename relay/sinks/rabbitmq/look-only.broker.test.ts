import { Connection } from "rabbitmq-client";
import { expect, onTestFinished, test } from "vitest";
import { checkSinks } from "#relay/doctor/check-sinks.ts";
import { parseConfig } from "#services/config/load-config.ts";
import { testBroker } from "#tests/brokers/test-broker.ts";
import { uniqueName } from "#tests/brokers/unique-name.ts";

const broker = testBroker("rabbitmq");

test("the doctor does not create the exchange of a sink with declare: true", async () => {
  const exchange = uniqueName("exchange");
  const config = parseConfig(
    `
stores: { shop: { kind: postgres, url: "postgres://nobody@127.0.0.1:1/none" } }
outboxes: { orders: { store: shop, table: public.outbox, mode: relay, relay: { sink: bus } } }
sinks: { bus: { kind: rabbitmq, url: "${broker().url}", exchange: ${exchange}, declare: true } }`,
    {},
    "test",
  );
  const [check] = await checkSinks(config);
  expect(check).toMatchObject({ name: "bus", failure: null, awaits: expect.stringContaining("declare: true") });
  const connection = new Connection(broker().url);
  connection.on("error", () => undefined);
  onTestFinished(() => connection.close());
  const channel = await connection.acquire({ emitErrorsFromChannel: true });
  channel.on("error", () => undefined);
  await expect(channel.exchangeDeclare({ exchange, passive: true })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

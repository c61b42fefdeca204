import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EXCHANGE } from "#demo/rabbitmq/open-consumers.ts";
import { parseConfig } from "#services/config/load-config.ts";

function load(file: string, databaseUrl: string) {
  const env = {
    DEMO_DATABASE_URL: databaseUrl,
    OUTBOX_EMBEDDED_URL: "postgres://x@y/z",
    DEMO_GATEWAY_PORT: "9",
    DEMO_RABBITMQ_URL: "amqp://x",
  };
  return parseConfig(readFileSync(file, "utf8"), env, file);
}

test("the demo is configured alike on Postgres and on MySQL, but for its store and the names of its tables", () => {
  const { stores: postgres, ...one } = load("demo/outbox.yaml", "postgres://x@y/z");
  const { stores: mysql, ...other } = load("demo/outbox-mysql.yaml", "mysql://x@y/z");
  const tablesOf = ({ outboxes, inboxes }: Pick<typeof one, "outboxes" | "inboxes">) =>
    [...Object.values(outboxes), ...Object.values(inboxes)].map(({ table }) => table);
  const nameless = (config: typeof one) =>
    JSON.parse(JSON.stringify(config), (key, value) => (key === "table" ? "" : value));
  expect(nameless(other)).toEqual(nameless(one));
  expect(tablesOf(one)).toEqual(["shop.outbox_events", "loyalty.inbox", "analytics.processed_events"]);
  expect(tablesOf(other)).toEqual(["outbox_events", "loyalty_inbox", "analytics_processed_events"]);
  expect(postgres.shop?.kind).toBe("postgres");
  expect(mysql.shop).toMatchObject({ kind: "mysql", own: { prefix: "outbox_console_" } });
});

test("over RabbitMQ the same outbox goes to the exchange, and each of the four consumers has an inbox", () => {
  const { inboxes, sinks, outboxes } = load("demo/outbox-rabbitmq.yaml", "postgres://x@y/z");
  expect(Object.values(outboxes).map(({ table }) => table)).toEqual(["shop.outbox_events"]);
  expect(Object.keys(inboxes)).toEqual(["search", "cache", "notifications", "analytics"]);
  expect(sinks).toMatchObject({ rabbitmq: { exchange: EXCHANGE, exchangeType: "fanout", declare: false } });
});

import { expect, test } from "vitest";
import type { OutboxMapping } from "#db/stores/port/mapping.ts";
import { type ConnectorPlan, type PlanInput, planConnector } from "./connector-plan.ts";

const column = (name: string, type = "text") => ({ name, type, nullable: false, from: "shape" as const });

function input(columns: Partial<OutboxMapping["columns"]> = {}, change: Partial<PlanInput> = {}): PlanInput {
  const mapping: OutboxMapping = {
    table: { schema: "public", name: "outbox" },
    primaryKey: [column("event_id", "uuid")],
    columns: {
      id: column("event_id", "uuid"),
      payload: column("body", "jsonb"),
      aggregateType: column("kind"),
      aggregateId: column("order_id"),
      eventType: column("event"),
      ...columns,
    },
    lifecycle: { kind: "untold", owner: "Debezium", where: "its offset" },
    deadAttempts: null,
    archiveTable: null,
    shape: "generic",
  };
  const names = {
    outbox: "orders",
    connector: "orders-connector",
    slot: "debezium_orders",
    publication: "debezium_orders",
  };
  return {
    ...names,
    mapping,
    partitioned: false,
    relayed: false,
    product: "Postgres",
    url: "postgres://app:s3cret@db:6432/shop",
    ...change,
  };
}

function plan(given: PlanInput): ConnectorPlan {
  const made = planConnector(given);
  if ("refusal" in made) throw new Error(made.refusal);
  return made;
}

test("routes by the mapping's columns, with the slot and the publication that the SQL creates", () => {
  const { config, sql } = plan(input());
  expect(config).toMatchObject({
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "db",
    "database.port": "6432",
    "slot.name": "debezium_orders",
    "table.include.list": "public.outbox",
    "transforms.outbox.table.field.event.id": "event_id",
    "transforms.outbox.table.field.event.key": "order_id",
    "transforms.outbox.table.field.event.payload": "body",
    "transforms.outbox.route.by.field": "kind",
    "transforms.outbox.route.topic.replacement": `outbox.event.\${routedByValue}`,
    "transforms.outbox.table.fields.additional.placement": "event:header:eventType",
  });
  expect(sql).toContain('CREATE PUBLICATION "debezium_orders" FOR TABLE "public"."outbox"');
  expect(sql).toContain("pg_create_logical_replication_slot('debezium_orders', 'pgoutput')");
});

test("has no password of the store, but a reference to Connect's own", () => {
  const made = plan(input());
  expect(JSON.stringify(made)).not.toContain("s3cret");
  expect(made.config["database.password"]).toMatch(/^\$\{file:.*:orders\.password\}$/);
});

test("a column with the topic is the topic", () => {
  const { config } = plan(input({ topic: column("topic") }));
  expect(config).toMatchObject({
    "transforms.outbox.route.by.field": "topic",
    "transforms.outbox.route.topic.replacement": `\${routedByValue}`,
  });
});

test("bytes are sent as bytes", () => {
  const { config } = plan(input({ payload: column("body", "bytea") }));
  expect(config["value.converter"]).toBe("io.debezium.converters.BinaryDataConverter");
});

test("MySQL and MariaDB have a server id, an include list and their own connector", () => {
  const mysql = plan(input({}, { product: "MySQL", url: "mysql://app:s3cret@db/shop" }));
  expect(mysql.config).toMatchObject({
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "database.server.id": expect.stringMatching(/^1\d{9}$/),
    "table.include.list": "public.outbox",
  });
  expect(mysql.config).not.toHaveProperty("slot.name");
  const mariadb = plan(input({}, { product: "MariaDB", url: "mysql://app@db/shop" }));
  expect(mariadb.config["connector.class"]).toBe("io.debezium.connector.mariadb.MariaDbConnector");
  expect(mariadb.sql).toContain("BINLOG MONITOR");
  expect(mariadb.notes.join("\n")).toContain("SHOW REPLICA HOSTS");
});

test.each(["MySQL", "MariaDB"])(
  "where our relay publishes, a connector for %s fails without the offset that it is given",
  (product) => {
    const made = plan(input({}, { product, relayed: true, url: "mysql://app@db/shop" }));
    expect(made.config["snapshot.mode"]).toBe("recovery");
  },
);

const without = (...roles: (keyof OutboxMapping["columns"])[]) => {
  const given = input();
  for (const role of roles) delete given.mapping.columns[role];
  return given;
};

test.each([
  ["without a topic or a type of the aggregate", without("aggregateType"), "columns.aggregateType"],
  ["without a key", without("aggregateId"), "columns.aggregateId"],
  [
    "with a due time",
    input({ availableAt: column("due_at") }),
    "due_at says when a message is due, and Debezium publishes every row when it is committed. If no event has a due time, drop the column.",
  ],
  ["in DynamoDB", input({}, { product: null }), "no connector for DynamoDB"],
])("is refused with a sentence %s", (_, given, sentence) => {
  expect(planConnector(given)).toEqual({ refusal: expect.stringContaining(sentence) });
});

import { expect, test } from "vitest";
import type { OutboxHandle } from "../runtime.ts";
import { otherConnectors } from "./other-connectors.ts";

const DATABASE = {
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "db",
  "database.port": "5432",
  "database.dbname": "shop",
};
const ROUTER = { "transforms.route.type": "io.debezium.transforms.outbox.EventRouter" };
const STATUS = { connector: { state: "RUNNING" }, tasks: [] };

const handle = {
  config: { debezium: { connector: "orders" } },
  mapping: { table: { schema: "public", name: "outbox" } },
} as unknown as OutboxHandle;

const others = (config: Record<string, string>) =>
  otherConnectors(handle, { orders: { info: { config: DATABASE } }, other: { info: { config }, status: STATUS } });
const publishes = (config: Record<string, string>) => others({ ...DATABASE, ...ROUTER, ...config })?.[0]?.publishes;

test("a connector of the same database is known with its slot and its state", () => {
  expect(others({ ...DATABASE, ...ROUTER, "slot.name": "s" })).toEqual([
    { connector: "other", state: "RUNNING", slot: "s", publishes: true },
  ]);
});

test("a connector of another database is left out", () => {
  expect(others({ ...DATABASE, ...ROUTER, "database.dbname": "billing" })).toEqual([]);
});

test("without the outbox event router a connector publishes no messages", () => {
  expect(others(DATABASE)?.[0]?.publishes).toBe(false);
});

test.each([
  ["its include list names the table", { "table.include.list": "public.orders, public\\.OUTBOX" }, true],
  ["its include list names others", { "table.include.list": "public.outbox_archive,shop.outbox" }, false],
  ["its exclude list has it", { "table.exclude.list": "public.out.*" }, false],
  ["its schemas leave it out", { "schema.include.list": "billing" }, false],
  ["a pattern of Java cannot be read here", { "table.include.list": "(?x) public.outbox" }, null],
])("whether it publishes the table, where %s", (_name, config, expected) => {
  expect(publishes(config)).toBe(expected);
});

test("nothing is known of others where Connect does not list them", () => {
  expect(otherConnectors(handle, null)).toBeNull();
  expect(otherConnectors(handle, {})).toBeNull();
});

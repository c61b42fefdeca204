import { expect, test } from "vitest";
import { parseConfig } from "../config/load-config.ts";
import type { OutboxHandle } from "../runtime.ts";
import { missingRouteFields } from "./missing-route-fields.ts";

test("columns that the table does not have are told, letter by letter", () => {
  const config = parseConfig(
    `stores: { default: { kind: postgres, url: "postgres://db/shop" } }
outboxes: { orders: { table: box, mode: relay, relay: { sink: out, route: { fields: { op: operation, who: Tenant } } } } }
sinks: { out: { kind: log } }`,
    {},
    "outbox.yaml",
  ).outboxes.orders as OutboxHandle["config"];
  const column = (name: string) => ({ name }) as OutboxHandle["catalog"]["columns"][number];
  const catalog = { schema: "public", name: "box", columns: [column("operation"), column("tenant")] };
  expect(missingRouteFields({ name: "orders", config, catalog: catalog as OutboxHandle["catalog"] })).toEqual([
    'outbox orders: relay.route.fields.who names the column "Tenant", which public.box does not have.',
  ]);
});

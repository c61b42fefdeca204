import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import { parseConfig } from "../config/load-config.ts";
import { openRuntime, type Runtime } from "../runtime.ts";
import { listFailureGroups } from "./list-failure-groups.ts";

const database = testDatabase("empty");
let runtime: Runtime;

beforeAll(async () => {
  const { pool, url } = database();
  for (const [table, aggregate] of [
    ["named", "aggregate_id text,"],
    ["nameless", ""],
  ])
    await pool.query(
      `CREATE TABLE ${table} (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ${aggregate} event_type text, payload jsonb, status text,
         attempts int, last_error text, created_at timestamptz DEFAULT now());
       INSERT INTO ${table} (event_type, payload, status, attempts, last_error)
       SELECT 'order.placed', '{}', 'dead', 8, 'timeout' FROM generate_series(1, 3)`,
    );
  await pool.query("UPDATE named SET aggregate_id = 'order-' || id");
  const outbox = (table: string) =>
    `${table}: { store: shop, table: public.${table}, lifecycle: { kind: status, pending: [new], published: [sent], dead: [dead] } }`;
  const yaml = `stores: { shop: { kind: postgres, url: "${url}" } }\noutboxes:\n  ${outbox("named")}\n  ${outbox("nameless")}`;
  runtime = openRuntime({ config: parseConfig(yaml, {}, "test"), applicationName: "aggregates test", env: {} });
});

afterAll(() => runtime.close());

const groupsOf = async (outbox: string) =>
  (await listFailureGroups({ runtime, outbox })).groups.map(({ messages, aggregates }) => ({ messages, aggregates }));

test("a table that names no aggregate has none, rather than one", async () => {
  expect(await groupsOf("named")).toEqual([{ messages: 3, aggregates: 3 }]);
  expect(await groupsOf("nameless")).toEqual([{ messages: 3, aggregates: null }]);
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import { parseConfig } from "../config/load-config.ts";
import { checkHealth } from "../health/check-health.ts";
import { listOutboxes } from "../outboxes/list-outboxes.ts";
import { openRuntime, type Runtime } from "../runtime.ts";

const COLUMNS =
  "event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL, sent_at timestamptz";
const AN_HOUR_AGO = "'a', '{}', now() - interval '1 hour'";
const database = testDatabase("empty");
let runtime: Runtime;

beforeAll(async () => {
  await database().pool.query(`
    CREATE TABLE orders_outbox (id bigserial PRIMARY KEY, ${COLUMNS});
    CREATE TABLE orders_outbox_dead (LIKE orders_outbox, reason text, PRIMARY KEY (id));
    INSERT INTO orders_outbox_dead SELECT 1, ${AN_HOUR_AGO}, NULL, 'unknown topic';
    CREATE TABLE failed_payments_outbox (id bigserial PRIMARY KEY, ${COLUMNS});
    CREATE TABLE _orders_outbox_gho (LIKE orders_outbox, PRIMARY KEY (id));
    CREATE TABLE parts_outbox (id bigserial PRIMARY KEY, ${COLUMNS});
    CREATE TABLE stamped (stamped_at timestamptz);
    CREATE TABLE parts_outbox_2025 (PRIMARY KEY (id)) INHERITS (stamped, parts_outbox);
    CREATE TABLE parts_outbox_2025_12 (PRIMARY KEY (id)) INHERITS (parts_outbox_2025);
    INSERT INTO parts_outbox_2025_12 (event_type, payload, created_at) SELECT ${AN_HOUR_AGO}`);
  const config = parseConfig(`stores: { shop: { kind: postgres, url: "${database().url}" } }`, {}, "test");
  runtime = openRuntime({ config, applicationName: "rows shown once", env: {} });
});

afterAll(() => runtime.close());

test("a table of rows that left an outbox is a question, and its rows do not count as waiting", async () => {
  const { outboxes, candidates } = await listOutboxes({ runtime });
  expect(outboxes.map(({ name }) => name)).not.toContain("orders_outbox_dead");
  expect(candidates.find(({ table }) => table === "public.orders_outbox_dead")?.question).toBe(
    "public.orders_outbox_dead has by its name the rows that have left public.orders_outbox: does a relay publish them all the same?",
  );
  const { checks } = await checkHealth({ runtime });
  expect(checks?.["orders_outbox:oldestPending"]?.[0]?.status).toBe("pass");
  expect(checks?.["orders_outbox_dead:oldestPending"]).toBeUndefined();
});

test("an outbox of failed payments is one where no outbox of payments is beside it", async () => {
  const { outboxes } = await listOutboxes({ runtime });
  expect(outboxes.map(({ name }) => name)).toContain("failed_payments_outbox");
});

test("tables that inherit from an outbox are counted once, with it, and so is its copy during an online change", async () => {
  const { outboxes } = await listOutboxes({ runtime });
  const parts = outboxes.filter(({ name }) => name.startsWith("parts"));
  expect(parts.map(({ name, figures }) => [name, figures?.pending.value])).toEqual([["parts_outbox", 1]]);
  const { leftAlone } = await runtime.tables();
  expect(leftAlone.map(({ reason }) => reason)).toEqual([
    "public.parts_outbox_2025 inherits from public.parts_outbox, which shows its rows.",
    "public.parts_outbox_2025_12 inherits from public.parts_outbox, which shows its rows.",
    "public._orders_outbox_gho looks like a copy of another table by its name.",
  ]);
});

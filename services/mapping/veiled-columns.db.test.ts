import { afterEach, beforeEach, expect, test } from "vitest";
import { mappingProposalSchema } from "#contracts/outbox/mapping.ts";
import { contextOf, openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import type { Runtime } from "../runtime.ts";
import { previewMapping } from "./preview-mapping.ts";

const database = testDatabase("empty");
let runtime: Runtime;

beforeEach(async () => {
  await database().pool.query(`DROP TABLE IF EXISTS outbox;
    CREATE TABLE outbox (id int PRIMARY KEY, aggregate_id text, event_type text, payload json, customer_email text, note text,
      created_at timestamptz DEFAULT now(), published_at timestamptz);
    INSERT INTO outbox SELECT n, 'o-' || n, 'order.placed', '{}', 'ann@x.org', 'call ann' FROM generate_series(1, 3) n`);
});
afterEach(() => runtime.close());

async function preview(masking: object, columns: Record<string, string>, lifecycle?: object) {
  runtime = openTestRuntime(database().url, { outboxes: { orders: { store: "shop", table: "outbox" } }, masking });
  const proposal = mappingProposalSchema.parse({ columns, timeZone: "UTC", ...(lifecycle ? { lifecycle } : {}) });
  return previewMapping({ ctx: contextOf(runtime), subject: { outbox: "orders" }, proposal });
}

test.each(["eventType", "aggregateId", "id"] as const)("a masked column is masked in the role %s", async (role) => {
  const { problem, rows } = await preview({ paths: ["customer_email"] }, { [role]: "customer_email" });
  expect(problem).toBeNull();
  expect(rows.map((row) => row[role])).toEqual(Array(3).fill("[masked]"));
});

test("its words are not listed as those of a status", async () => {
  const lifecycle = { kind: "status", pending: ["new"], published: ["sent"] };
  const answer = await preview({ paths: ["customer_email"] }, { status: "customer_email" }, lifecycle);
  expect(answer.problem).toBeNull();
  expect(JSON.stringify(answer)).not.toContain("ann@x.org");
});

test("where everything is masked that is not named, another column is, and those of the present roles are not", async () => {
  const { rows } = await preview({ default: "mask" }, { eventType: "note" });
  expect(rows[0]).toMatchObject({ eventType: "[masked]", aggregateId: "o-3" });
});

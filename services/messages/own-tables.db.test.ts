import { afterAll, beforeAll, expect, test } from "vitest";
import { messageQuerySchema } from "#contracts/message/messages.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { type PlanWatch, watchPlans } from "#tests/plans-of.ts";
import { testDatabase } from "#tests/postgres.ts";
import type { Runtime } from "../runtime.ts";
import { listMessages } from "./list-messages.ts";

const ROWS = 20_000;
const MOVED =
  "outbox, message_id, image, aggregate_type, aggregate_id, event_type, created_at, payload_bytes, attempts";
const moved = (n: string) =>
  `'orders', 'm' || ${n}, '{}', 'order', ${n} || '', 'order.paid', now() - ${n} * interval '1 s', 2, 10`;

const database = testDatabase("migrated");
let watched: PlanWatch;
let runtime: Runtime;
beforeAll(async () => {
  const { pool } = database();
  await pool.query(`CREATE TABLE outbox_events (id uuid PRIMARY KEY, aggregate_type text, aggregate_id text NOT NULL, event_type text NOT NULL,
    payload jsonb NOT NULL, created_at timestamptz NOT NULL, published_at timestamptz)`);
  await pool.query(`INSERT INTO outbox_console.dead_letter (${MOVED}, dead_at, dead_by)
    SELECT ${moved("n")}, now() - n * interval '1 s', 'relay' FROM generate_series(1, ${ROWS}) n`);
  await pool.query(`INSERT INTO outbox_console.archive (${MOVED}, archived_at, archived_by, state_before, reason)
    SELECT ${moved("n")}, now() - n * interval '1 s', 'ana', 'published', 'old' FROM generate_series(1, ${ROWS}) n`);
  await pool.query("ANALYZE outbox_console.dead_letter, outbox_console.archive");
  watched = await watchPlans(database());
  runtime = openOperatedRuntime(watched.url, "outbox_events");
});
afterAll(async () => {
  await runtime.close();
  await watched.close();
});

test.each([
  ["dead", "dead_letter"],
  ["archived", "archive"],
] as const)(
  "pages of messages that are %s come from an index in its order, however many there are",
  async (state, table) => {
    const list = (cursor?: string) =>
      listMessages({ runtime, outbox: "orders", query: messageQuerySchema.parse({ state, limit: 50, cursor }) });
    await list();
    const plans = await watched.plansOf(table, async () => {
      const first = await list();
      expect(first.messages).toHaveLength(50);
      const second = await list(first.nextCursor ?? "");
      expect(second.messages[0]?.id).not.toBe(first.messages[0]?.id);
    });
    const pages = plans.filter((plan) => plan.includes("Limit") && plan.includes("_time_idx"));
    expect(pages.length, plans.join("\n\n")).toBeGreaterThanOrEqual(2);
    for (const plan of pages) expect(plan).not.toContain("Sort");
  },
);

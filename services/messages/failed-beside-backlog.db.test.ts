import { afterAll, beforeAll, expect, test } from "vitest";
import { messageQuerySchema } from "#contracts/message/messages.ts";
import { openOperatedRuntime } from "#tests/factories/runtime.ts";
import { type PlanWatch, watchPlans } from "#tests/plans-of.ts";
import { testDatabase } from "#tests/postgres.ts";
import type { Runtime } from "../runtime.ts";
import { listFailureGroups } from "./list-failure-groups.ts";
import { listMessages } from "./list-messages.ts";

const ROWS = 60_000;
const FAILED = 12_000;

/** A table without columns for failures, in which very many messages wait behind failed ones. */
const FILL = `
CREATE TABLE outbox_events (id uuid PRIMARY KEY, sequence bigint NOT NULL, aggregate_type text NOT NULL, aggregate_id text NOT NULL, event_type text NOT NULL,
  payload jsonb NOT NULL, created_at timestamptz NOT NULL, published_at timestamptz);
INSERT INTO outbox_events SELECT ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, n, 'order', n % 12000, 'order.paid',
  jsonb_build_object('text', repeat('x', 300)), now() - (${ROWS} - n) * interval '1 s', NULL FROM generate_series(1, ${ROWS}) n;
INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, attempts, next_attempt_at, event_type, last_error_code, last_error, first_failed_at, last_failed_at, fingerprint)
  SELECT 'orders', id::text, 'order/' || aggregate_id, 2, now() + interval '1 day', event_type, 'timeout', 'no answer', created_at, created_at, 'f' || sequence % 2
  FROM outbox_events WHERE sequence <= ${FAILED};
INSERT INTO outbox_console.delivery (outbox, message_id, attempts, event_type, last_error_code, last_error, first_failed_at, last_failed_at, fingerprint)
  SELECT 'orders', 'f0000000-0000-4000-8000-00000000000' || n, 1, 'order.paid', 'rejected', 'HTTP 422', now(), now(), 'f9' FROM generate_series(1, 5) n;
CREATE INDEX outbox_events_pending_idx ON outbox_events (sequence) WHERE published_at IS NULL;
CREATE INDEX outbox_events_created_idx ON outbox_events (created_at DESC, id DESC);
ANALYZE outbox_events; ANALYZE outbox_console.delivery`;

const database = testDatabase("migrated");
let watched: PlanWatch;
let runtime: Runtime;
beforeAll(async () => {
  await database().pool.query(FILL);
  watched = await watchPlans(database());
  runtime = openOperatedRuntime(watched.url, "public.outbox_events");
});
afterAll(async () => {
  await runtime.close();
  await watched.close();
});

const list = (query: Record<string, string>) =>
  listMessages({ runtime, outbox: "orders", query: messageQuerySchema.parse(query) });

test.each<Record<string, string>>([{ state: "failed" }, { state: "failing", group: "f1" }])(
  "$state messages are looked up by their keys, and what waits behind them is not read",
  async (query) => {
    await list(query);
    const plans = await watched.plansOf("outbox_events", async () => {
      const page = await list(query);
      expect(page.messages).toHaveLength(50);
      expect(page.matching).toEqual(
        "group" in query ? { value: FAILED / 2, precision: "exact" } : { value: 10_000, precision: "capped" },
      );
    });
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.filter((plan) => /(Hash|Merge) Join/.test(plan))).toEqual([]);
  },
);

test("of more failures than are read, the groups are those of the newest", async () => {
  const found = await listFailureGroups({ runtime, outbox: "orders" });
  expect(found).toMatchObject({ complete: false, read: 10_000 });
  expect(found.groups.find(({ key }) => key === "f9")).toMatchObject({ messages: 5, failed: 5 });
});

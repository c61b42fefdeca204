import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { listFindings } from "../findings/list-findings.ts";
import { checkHealth } from "../health/check-health.ts";
import { renderMetrics } from "../health/render-metrics.ts";
import type { Runtime } from "../runtime.ts";
import { getReconciliation } from "./get-reconciliation.ts";

const database = testDatabase("migrated");
let runtime: Runtime;

beforeEach(async () => {
  await database().pool.query(`DROP SCHEMA public CASCADE; CREATE SCHEMA public;
    CREATE TABLE outbox_events (id bigserial PRIMARY KEY, aggregate_id text, event_type text NOT NULL, payload jsonb NOT NULL,
      occurred_at timestamptz NOT NULL DEFAULT now(), dispatched_at timestamptz);
    CREATE TABLE processed_events (event_id bigint PRIMARY KEY, processed_at timestamptz NOT NULL DEFAULT now());
    INSERT INTO outbox_events (event_type, payload, occurred_at, dispatched_at)
      SELECT 'order.placed', '{}', now() - n * interval '1 hour', now() - n * interval '1 hour' FROM generate_series(1, 10) n;
    INSERT INTO processed_events SELECT id, dispatched_at FROM outbox_events WHERE id NOT IN (3, 4)`);
});
afterEach(() => runtime.close());

function open(inbox: Record<string, unknown>): void {
  runtime = openTestRuntime(database().url, {
    outboxes: { orders: { store: "shop", table: "public.outbox_events" } },
    inboxes: { loyalty: { store: "shop", table: "public.processed_events", ...inbox } },
  });
}

/** The page once a first check is there. */
const page = () =>
  waitFor(
    async () => {
      const found = await getReconciliation({ runtime, inbox: "loyalty" });
      return found.outboxes[0]?.check && found;
    },
    { message: "the inbox is checked" },
  );

test("page, finding, health and metrics say the same of what a consumer has not processed", async () => {
  open({ outbox: "orders", processWithin: "5m" });
  const { outboxes } = await page();
  expect(outboxes[0]?.check).toMatchObject({
    notProcessed: { value: 2, precision: "exact" },
    looked: expect.stringMatching(/^10 messages created between .* were looked up: all that are published\.$/),
    messages: [{ eventId: "4" }, { eventId: "3" }],
  });
  const { findings, checked } = await waitFor(
    async () => {
      const list = await listFindings({ runtime, outbox: "orders" });
      return list.findings.length > 0 && list;
    },
    { message: "the shared snapshot is taken again" },
  );
  expect(checked.map(({ rule }) => rule)).toContain("not_processed");
  expect(findings).toMatchObject([{ rule: "not_processed", word: "at_risk", severity: "warn", messages: 2 }]);
  const { checks } = await checkHealth({ runtime, outbox: "orders" });
  expect(checks?.["orders:processed"]).toMatchObject([
    {
      status: "warn",
      observedValue: 2,
      output: expect.stringContaining("The consumer of inbox loyalty has not processed 2 messages"),
    },
  ]);
  const { text } = await renderMetrics({ runtime });
  expect(text).toContain('outbox_not_processed_messages{outbox="orders",inbox="loyalty"} 2');
  expect(text).toContain('outbox_inbox_unmatched_rows{outbox="orders",inbox="loyalty"} 0');
});

test("an inbox without a limit is not checked: the page says what to add, and nothing counts as checked", async () => {
  open({});
  const { suggestion, withinSeconds } = await getReconciliation({ runtime, inbox: "loyalty" });
  expect(withinSeconds).toBeNull();
  expect(suggestion).toEqual({
    outboxes: ["orders"],
    yaml: `inboxes:
  loyalty:
    store: shop
    table: public.processed_events
    outbox: orders
    processWithin: 5m`,
  });
  const { unchecked } = await listFindings({ runtime, outbox: "orders" });
  expect(unchecked.map(({ rule }) => rule)).toContain("not_processed");
  expect((await renderMetrics({ runtime })).text).not.toContain('inbox="loyalty"');
});

test("neither health nor metrics say that all is processed where the inbox may have removed its rows", async () => {
  await database().pool.query("TRUNCATE processed_events");
  open({ outbox: "orders", processWithin: "5m" });
  await page();
  const { checks } = await checkHealth({ runtime, outbox: "orders" });
  expect(checks?.["orders:processed"]).toMatchObject([
    {
      observedValue: null,
      output: "Whether loyalty has processed 10 messages is not known: it may have removed their rows.",
    },
  ]);
  const { text } = await renderMetrics({ runtime });
  expect(text).toContain('outbox_inbox_check_age_seconds{outbox="orders",inbox="loyalty"}');
  expect(text).not.toMatch(/outbox_not_processed_\w+\{outbox="orders",inbox="loyalty"\}/);
});

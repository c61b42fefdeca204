import { afterAll, beforeAll, expect, test } from "vitest";
import { inboxQuerySchema } from "#contracts/outbox/inboxes.ts";
import { OUTBOX_EVENTS } from "#tests/factories/layouts.ts";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { getMessage } from "../messages/get-message.ts";
import { reconcile } from "../reconciliation/reconcile.ts";
import type { Runtime } from "../runtime.ts";
import { listInboxMessages } from "./list-inbox-messages.ts";
import { listInboxes } from "./list-inboxes.ts";

const database = testDatabase("empty");
let runtime: Runtime;

beforeAll(async () => {
  await database().pool.query(`${OUTBOX_EVENTS};
    INSERT INTO outbox_events (id, event_type, payload, dispatched_at) VALUES ('00000000-0000-4000-8000-000000000001', 'a', '{}', now() - interval '1 hour');
    CREATE TABLE processed_kafka_records (topic text, "partition" int, "offset" bigint, processed_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (topic, "partition", "offset"));
    INSERT INTO processed_kafka_records VALUES ('orders', 3, 1042)`);
  const table = "public.processed_kafka_records";
  runtime = openTestRuntime(database().url, {
    outboxes: { orders: { store: "shop", table: "public.outbox_events" } },
    inboxes: { billing: { store: "shop", table, outbox: "orders", processWithin: "1m" } },
  });
});
afterAll(() => runtime.close());

test("an inbox that knows places in a topic lists them, and is never said to lack a message", async () => {
  const { inboxes } = await listInboxes({ runtime });
  expect(inboxes).toMatchObject([{ name: "billing", figures: { total: { value: 1 } }, problem: null }]);
  const { messages } = await listInboxMessages({ runtime, inbox: "billing", query: inboxQuerySchema.parse({}) });
  expect(messages).toMatchObject([{ messageId: "orders/3/1042", state: "processed" }]);
  const id = "00000000-0000-4000-8000-000000000001";
  expect((await getMessage({ runtime, outbox: "orders", id })).sightings).toMatchObject([{ state: "unknown" }]);
  const state = await reconcile(runtime, "billing", { waitMs: 60_000 });
  const reason = expect.stringMatching(/^Inbox billing knows records by topic, partition and offset/);
  expect(state?.pairs).toMatchObject([{ outbox: "orders", check: null, unchecked: { reason } }]);
});

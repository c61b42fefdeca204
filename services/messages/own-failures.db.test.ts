import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { messageQuerySchema } from "#contracts/message/messages.ts";
import { ADMIN, contextOf, openOperatedRuntime, openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { performOperation } from "../operations/perform-operation.ts";
import type { Runtime } from "../runtime.ts";
import { getMessage } from "./get-message.ts";
import { listFailureGroups } from "./list-failure-groups.ts";
import { listMessages } from "./list-messages.ts";

/** Failures that only the team's own table knows of. */
const database = testDatabase("migrated");
const query = (sql: string) => database().pool.query(sql);
let runtime: Runtime;
beforeEach(() =>
  query("DROP TABLE IF EXISTS outbox_events, published; TRUNCATE outbox_console.dead_letter, outbox_console.delivery"),
);
afterEach(() => runtime.close());

const groups = async () => (await listFailureGroups({ runtime, outbox: "orders" })).groups;
async function opened(filter: Record<string, string>): Promise<number> {
  const { messages } = await listMessages({ runtime, outbox: "orders", query: messageQuerySchema.parse(filter) });
  return messages.length;
}

describe("a table with its own error texts", () => {
  beforeEach(async () => {
    await query(`CREATE TABLE outbox_events (id int PRIMARY KEY, aggregate_id text, event_type text, payload jsonb, occurred_at timestamptz DEFAULT now(),
        dispatched_at timestamptz, attempts int DEFAULT 0, last_error text);
      INSERT INTO outbox_events (id, event_type, payload, attempts, last_error)
        SELECT n, 'order.placed', '{}', 3, 'HTTP 422: unknown customer ' || n || ' of "tenant ' || n || '" 50% off_' FROM generate_series(1, 4) n;
      INSERT INTO outbox_events (id, event_type, payload, attempts, last_error) VALUES (9, 'order.placed', '{}', 3, 'timed out after 30 s'), (10, 'order.placed', '{}', 1, NULL)`);
  });

  test("each group opens the messages that it counts, also where nothing is recorded by us", async () => {
    runtime = openOperatedRuntime(database().url, "public.outbox_events", { mode: "observe" });
    const found = await groups();
    expect(found.map(({ messages }) => messages)).toEqual([4, 1, 1]);
    // The list cannot filter by no error, so it shows every failed message of the type.
    for (const { selects, messages, filter } of found) expect(await opened(filter)).toBe(selects ? messages : 6);
  });
});

test("grouped by type or code, what only the table tells joins what we recorded, and an unknown code selects nothing", async () => {
  await query(`CREATE TABLE outbox_events (id int PRIMARY KEY, aggregate_id text, event_type text, payload jsonb, occurred_at timestamptz DEFAULT now(),
      dispatched_at timestamptz, attempts int DEFAULT 0, last_error text);
    INSERT INTO outbox_events (id, event_type, payload, attempts, last_error) SELECT n, 'order.placed', '{}', 3, 'HTTP 500: template' FROM generate_series(1, 5) n;
    INSERT INTO outbox_events (id, event_type, payload) VALUES (6, 'order.placed', '{}');
    INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, attempts, event_type, last_error_code, last_error, fingerprint)
      VALUES ('orders', '1', NULL, 3, 'order.placed', 'server_error', 'HTTP 500: template', 'f1')`);
  runtime = openOperatedRuntime(database().url, "public.outbox_events");
  const grouped = async (by: "code" | "type") => (await listFailureGroups({ runtime, outbox: "orders", by })).groups;
  const [ofType, ...otherTypes] = await grouped("type");
  expect(ofType).toMatchObject({ key: "order.placed", fingerprint: null, code: null, messages: 5, selects: true });
  expect(otherTypes).toEqual([]);
  expect(await opened(ofType?.filter ?? {})).toBe(5);
  const [unknown, known] = await grouped("code");
  expect(unknown).toMatchObject({ key: "", title: "No error code recorded", messages: 4, selects: false });
  expect(known).toMatchObject({ key: "server_error", title: "Consumer error", messages: 1, selects: true });
  expect(await opened(known?.filter ?? {})).toBe(1);
});

test("a row whose failure we have recorded is counted once, and hides no other row of the table", async () => {
  await query(`CREATE TABLE outbox_events (id int PRIMARY KEY, aggregate_id text, event_type text, payload jsonb, occurred_at timestamptz DEFAULT now(),
      dispatched_at timestamptz, attempts int DEFAULT 0, last_error text);
    INSERT INTO outbox_events (id, event_type, payload, attempts, last_error) SELECT n, 'order.placed', '{}', 3, 'HTTP 500: template' FROM generate_series(1, 5) n;
    INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, attempts, event_type, last_error_code, last_error, fingerprint)
      VALUES ('orders', '1', NULL, 3, 'order.placed', 'server_error', 'HTTP 500: template', 'f1')`);
  runtime = openOperatedRuntime(database().url, "public.outbox_events");
  const found = await listFailureGroups({ runtime, outbox: "orders" });
  expect(found.groups.map(({ messages }) => messages).toSorted()).toEqual([1, 4]);
  expect(found.read).toBe(5);
});

describe("a library's table without error texts", () => {
  beforeEach(() =>
    query(`CREATE TABLE "published" ("Id" bigint PRIMARY KEY, "Version" varchar(20) NOT NULL, "Name" varchar(200) NOT NULL, "Content" text, "Retries" int NOT NULL,
        "Added" timestamp NOT NULL, "ExpiresAt" timestamp, "StatusName" varchar(50) NOT NULL);
      INSERT INTO "published" SELECT n, 'v1', 'order.placed', '{}', 50, now(), NULL, 'Failed' FROM generate_series(1, 5) n;
      INSERT INTO "published" SELECT n, 'v1', 'order.paid', '{}', 50, now(), NULL, 'Failed' FROM generate_series(6, 7) n`),
  );

  test("its dead messages are groups by type, without an error, and not nothing", async () => {
    runtime = openOperatedRuntime(database().url, "public.published", { mode: "observe" });
    const found = await groups();
    expect(found).toMatchObject([
      { title: "No error recorded", text: "", eventTypes: ["order.placed"], messages: 5, dead: 5 },
      { title: "No error recorded", text: "", eventTypes: ["order.paid"], messages: 2, dead: 2 },
    ]);
    for (const group of found) expect(await opened(group.filter)).toBe(group.messages);
  });

  test("one that an operator has moved out does not hide the others", async () => {
    runtime = openOperatedRuntime(database().url, "public.published");
    await query(`INSERT INTO "published" VALUES (8, 'v1', 'order.placed', '{}', 0, now(), NULL, 'Scheduled')`);
    const { message } = await getMessage({ runtime, outbox: "orders", id: "8" });
    const operation = await performOperation({
      ctx: contextOf(runtime, ADMIN),
      outbox: "orders",
      request: {
        action: "dead-letter",
        targets: [{ id: "8", version: message.version }],
        reason: "the order was cancelled",
      },
      idempotencyKey: null,
    });
    expect(operation.done).toBe(1);
    expect((await groups()).reduce((sum, { dead }) => sum + dead, 0)).toBe(8);
  });
});

test.each([
  ["as it is where nothing is masked", {}, "HTTP 422: zqsecret earns too much"],
  ["not at all where a type is hidden", { types: ["payroll.*"] }, "Hidden: it may quote a message"],
])("the error of a group whose messages have no recorded type is shown %s", async (_, masking, shown) => {
  await query(`CREATE TABLE outbox_events (id int PRIMARY KEY, aggregate_id text, event_type text, payload jsonb, occurred_at timestamptz DEFAULT now(),
      dispatched_at timestamptz, attempts int DEFAULT 0, last_error text);
    INSERT INTO outbox_events (id, event_type, payload, attempts) VALUES (1, 'payroll.paid', '{}', 3);
    INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, attempts, event_type, last_error_code, last_error, fingerprint)
      VALUES ('orders', '1', NULL, 3, NULL, 'rejected', 'HTTP 422: zqsecret earns too much', 'f1')`);
  const orders = { store: "shop", table: "public.outbox_events", mode: "operate" as const };
  runtime = openTestRuntime(database().url, { outboxes: { orders }, masking });
  const [group] = await groups();
  expect(group?.text).toContain(shown);
});

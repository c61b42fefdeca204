import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { OUTBOX_EVENTS_WITH_ATTEMPTS } from "#tests/factories/layouts.ts";
import { openOperatedRuntime, openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { checkPayloads } from "./check-payloads.ts";
import { describeReport, isReadable } from "./describe-report.ts";
import { outboxesToCheck } from "./outboxes-to-check.ts";
import { registryOf } from "./registry.ts";

const database = testDatabase("migrated");
const emptyDatabase = testDatabase("empty");
let runtime: Runtime;
let orders: OutboxHandle;
const events = {
  definitions: { "order.placed": { version: 2, schema: z.object({ total: z.number() }) } },
};
const registry = registryOf({ events, again: events, LIMIT: 3 }, "events.ts");

/** A type whose messages say with which version they were written, as the client package does. */
const upgraded = registryOf(
  {
    events: {
      definitions: {
        "order.versioned": {
          version: 2,
          schema: z.object({ cents: z.number() }),
          upgrade: (payload: { total: number | null }, version: number) => {
            if (payload.total === null) throw new Error(`version ${version} has no total`);
            return { cents: payload.total * 100 };
          },
        },
      },
    },
  },
  "events.ts",
);

beforeAll(async () => {
  const { pool } = database();
  await pool.query(OUTBOX_EVENTS_WITH_ATTEMPTS);
  await pool.query("ALTER TABLE outbox_events ADD COLUMN headers jsonb");
  await pool.query(`INSERT INTO outbox_events (id, aggregate_id, event_type, payload, attempts, dispatched_at)
    SELECT ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, n::text, type, payload::jsonb, attempts, dispatched_at
    FROM (VALUES
      (1, 'order.placed', '{"total": 1}', 0, NULL::timestamptz),
      (2, 'order.placed', '{"total": "1"}', 0, NULL),
      (3, 'order.placed', '{"total": "é"}', 10, NULL),
      (4, 'order.renamed', '{}', 0, NULL),
      (5, 'order.placed', '{"total": "sent"}', 1, now())
    ) AS row (n, type, payload, attempts, dispatched_at)`);
  runtime = openOperatedRuntime(database().url, "outbox_events");
  [orders] = (await runtime.tables()).outboxes as [OutboxHandle];
});
afterAll(() => runtime.close());

test("judges what waits and what is dead, by type and reason, and leaves out what was published", async () => {
  const report = await checkPayloads(orders, registry, 100);
  expect(report).toMatchObject({ checked: 4, cut: false, missed: [] });
  const [placed, renamed] = report.types.toSorted((one, other) =>
    String(one.eventType).localeCompare(String(other.eventType)),
  );
  expect(placed).toMatchObject({ eventType: "order.placed", fit: 1 });
  expect(placed?.unreadable).toEqual([
    {
      reason: expect.stringMatching(/^total: .*number/),
      count: 2,
      examples: expect.arrayContaining([orderId(2), orderId(3)]),
    },
  ]);
  expect(renamed?.unreadable).toEqual([{ reason: "The registry has no such type.", count: 1, examples: [orderId(4)] }]);
  expect(isReadable(report)).toBe(false);
  expect(describeReport(report)).toEqual(
    expect.arrayContaining(["orders: 4 messages checked", "  ok    order.placed: 1 message"]),
  );
});

test("takes an upgrade that is asynchronous, and blames a schema that throws for its own type only", async () => {
  const { pool } = database();
  const entries = {
    "order.later": {
      version: 2,
      schema: z.object({ cents: z.number() }),
      upgrade: async ({ total }: { total: number | null }) => {
        if (total === null) throw new Error("no total");
        return { cents: total * 100 };
      },
    },
    "order.broken": z.any().refine(() => {
      throw new Error("the rule is broken");
    }),
  };
  const rows = [
    [21, "order.later", { total: 3 }],
    [22, "order.later", { total: null }],
    [23, "order.broken", {}],
  ] as const;
  for (const [n, type, payload] of rows)
    await pool.query(
      `INSERT INTO outbox_events (id, aggregate_id, event_type, payload, attempts, headers)
       VALUES ($1, '1', $2, $3, 0, '{"event-version": "1"}')`,
      [orderId(n), type, payload],
    );
  const { types, missed } = await checkPayloads(orders, registryOf({ entries }, "events.ts"), 100);
  await pool.query("DELETE FROM outbox_events WHERE event_type IN ('order.later', 'order.broken')");
  const of = (type: string) => types.find(({ eventType }) => eventType === type);
  expect(missed).toEqual([]);
  expect(of("order.later")).toMatchObject({
    fit: 1,
    unreadable: [{ reason: "The upgrade from version 1 fails: no total", count: 1 }],
  });
  expect(of("order.broken")).toMatchObject({
    fit: 0,
    unreadable: [{ reason: "The schema fails: the rule is broken", count: 1 }],
  });
});

test("judges a message as its consumer will: after the upgrade of an older version, and never of a newer one", async () => {
  const { pool } = database();
  const versions = [
    [11, 1, { total: 3 }],
    [12, 1, { total: null }],
    [13, 2, { cents: 300 }],
    [14, 3, { cents: 300 }],
  ] as const;
  for (const [n, version, payload] of versions)
    await pool.query(
      `INSERT INTO outbox_events (id, aggregate_id, event_type, payload, attempts, headers)
       VALUES ($1, '1', 'order.versioned', $2, 0, jsonb_build_object('event-version', $3::text))`,
      [orderId(n), payload, version],
    );
  const { types } = await checkPayloads(orders, upgraded, 100);
  await pool.query("DELETE FROM outbox_events WHERE event_type = 'order.versioned'");
  expect(types.find(({ eventType }) => eventType === "order.versioned")).toEqual({
    eventType: "order.versioned",
    fit: 2,
    unreadable: expect.arrayContaining([
      { reason: "The upgrade from version 1 fails: version 1 has no total", count: 1, examples: [orderId(12)] },
      {
        reason: "It was written with version 3, and the registry has 2: this code refuses it.",
        count: 1,
        examples: [orderId(14)],
      },
    ]),
  });
});

test("says that more wait than were to be looked at", async () => {
  const report = await checkPayloads(orders, registry, 2);
  expect(report).toMatchObject({ checked: 2, cut: true });
  expect(isReadable(report)).toBe(false);
});

test.each([
  [
    "all outboxes",
    undefined,
    "There is no outbox, so nothing was checked: no table of shop (0 tables) is known as one.",
  ],
  ["one outbox", "orders", "No outbox is called orders: no table of shop (0 tables) is known as one."],
])("does not pass without a table to look at, for %s", async (_, only, sentence) => {
  const empty = openTestRuntime(emptyDatabase().url);
  try {
    const tables = await empty.tables();
    expect(() => outboxesToCheck(tables, only)).toThrow(sentence);
    expect(() => outboxesToCheck(tables, only)).toThrow("Name the database in outbox.yaml or DATABASE_URL");
  } finally {
    await empty.close();
  }
});

test("names an outbox that is configured and is not there, once", async () => {
  const gone = openOperatedRuntime(emptyDatabase().url, "gone");
  try {
    const tables = await gone.tables();
    expect(() => outboxesToCheck(tables)).toThrow(/^2 problems:\n- There is no outbox.*\n- The table gone .*$/);
  } finally {
    await gone.close();
  }
});

test("looks at one outbox, and refuses a name that none has", async () => {
  const tables = await runtime.tables();
  expect(outboxesToCheck(tables, "orders")).toEqual({ outboxes: [orders], missed: [] });
  expect(() => outboxesToCheck(tables, "bills")).toThrow("No outbox is called bills. There are: orders.");
});

test("refuses a module without a registry, and one with two", () => {
  expect(() => registryOf({ LIMIT: 3, empty: {} }, "a.ts")).toThrow("a.ts exports no registry.");
  expect(() => registryOf({ events: { definitions: {} } }, "a.ts")).toThrow("a.ts exports no registry.");
  expect(() => registryOf({ one: { a: z.string() }, two: { b: z.string() } }, "b.ts")).toThrow(
    "b.ts exports 2 registries.",
  );
  expect([...registryOf({ one: { a: z.string() } }, "c.ts").keys()]).toEqual(["a"]);
});

const orderId = (n: number) => `00000000-0000-0000-0000-${String(n).padStart(12, "0")}`;

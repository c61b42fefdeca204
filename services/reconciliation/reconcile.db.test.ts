import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import type { Runtime } from "../runtime.ts";
import { type InboxState, reconcile } from "./reconcile.ts";

const database = testDatabase("migrated");
const query = (sql: string) => database().pool.query(sql);
let runtime: Runtime;

beforeEach(async () => {
  await query(`DROP SCHEMA public CASCADE; CREATE SCHEMA public;
    CREATE TABLE outbox_events (id bigserial PRIMARY KEY, aggregate_id text, event_type text NOT NULL, payload jsonb NOT NULL,
      occurred_at timestamptz NOT NULL DEFAULT now(), dispatched_at timestamptz);
    CREATE TABLE processed_events (event_id bigint PRIMARY KEY, processed_at timestamptz NOT NULL DEFAULT now());`);
});
afterEach(() => runtime.close());

/** Ten messages, published 1 to 10 hours ago. */
const publishTen = () =>
  query(`INSERT INTO outbox_events (event_type, payload, occurred_at, dispatched_at)
    SELECT CASE WHEN n % 2 = 0 THEN 'order.paid' ELSE 'order.placed' END, '{}', now() - n * interval '1 hour', now() - n * interval '1 hour'
    FROM generate_series(1, 10) n`);
const process = (where: string) =>
  query(`INSERT INTO processed_events SELECT id, dispatched_at FROM outbox_events WHERE ${where}`);

function open(inbox: Record<string, unknown> = {}, outbox: Record<string, unknown> = {}): void {
  runtime = openTestRuntime(database().url, {
    outboxes: { orders: { store: "shop", table: "public.outbox_events", ...outbox } },
    inboxes: {
      loyalty: { store: "shop", table: "public.processed_events", outbox: "orders", processWithin: "5m", ...inbox },
    },
  });
}

async function checked(): Promise<InboxState> {
  const state = await reconcile(runtime, "loyalty", { waitMs: 10_000 });
  return state ?? expect.unreachable();
}
const pairOf = ({ pairs }: InboxState) => pairs[0]?.check ?? expect.unreachable(JSON.stringify(pairs));

test("names the published messages that a consumer has not processed, longest published first", async () => {
  await publishTen();
  await process("id NOT IN (2, 7)");
  await query("INSERT INTO outbox_events (event_type, payload) VALUES ('order.placed', '{}')");
  open();
  const check = pairOf(await checked());
  expect(check).toMatchObject({ checked: 10, processed: 8, notProcessed: 2, unknown: 0, whole: true, capped: false });
  expect(check.messages.map(({ eventId, seenAs }) => [eventId, seenAs])).toEqual([
    ["7", "absent"],
    ["2", "absent"],
  ]);
  expect(check.messages[0]?.publishedSeconds).toBeGreaterThan(7 * 3600 - 1);
});

test("a message that is younger than the limit is not late", async () => {
  await publishTen();
  await process("id > 2");
  open({ processWithin: "90m" });
  expect(pairOf(await checked())).toMatchObject({ notProcessed: 1, recent: 1 });
});

test("rows that the inbox may have removed do not read as missing", async () => {
  await publishTen();
  await process("id IN (1, 3)");
  open();
  expect(pairOf(await checked())).toMatchObject({ notProcessed: 1, unknown: 7 });
});

test("what the configuration says of the inbox's rows counts more than what they show", async () => {
  await publishTen();
  open({ keeps: "7d" });
  expect(pairOf(await checked())).toMatchObject({ notProcessed: 10, unknown: 0 });
});

test("only the types that the consumer takes are looked up", async () => {
  await publishTen();
  open({ keeps: "7d", eventTypes: ["order.paid"] });
  expect(pairOf(await checked())).toMatchObject({ checked: 5, notProcessed: 5 });
});

test("a row that is there and not processed is not processed, however old", async () => {
  await query(
    "ALTER TABLE processed_events ALTER processed_at DROP NOT NULL, ADD received_at timestamptz DEFAULT now()",
  );
  await publishTen();
  await query("INSERT INTO processed_events (event_id, processed_at) VALUES (9, NULL), (1, now())");
  open();
  expect(pairOf(await checked())).toMatchObject({
    notProcessed: 1,
    reasons: { absent: 0, unprocessed: 1, failed: 0 },
    unknown: 8,
  });
});

test("the range of the rows that were looked for is that of their times, also where the list is in the order of the keys", async () => {
  await query(`ALTER TABLE processed_events ALTER event_id TYPE text, ADD consumer_group text,
      DROP CONSTRAINT processed_events_pkey, ALTER processed_at DROP NOT NULL, ADD PRIMARY KEY (event_id, consumer_group);
    INSERT INTO processed_events (event_id, processed_at, consumer_group) VALUES
      ('b', '2026-01-03Z', 'l'), ('a', '2026-01-05Z', 'l'), ('d', '2026-01-01Z', 'l'), ('c', '2026-01-07Z', 'l')`);
  open();
  expect((await checked()).rows.check).toMatchObject({
    from: "2026-01-01T00:00:00.000000Z",
    to: "2026-01-07T00:00:00.000000Z",
    inTime: false,
  });
});

describe("it says why it cannot judge", () => {
  const reason = async () => (await checked()).pairs[0]?.unchecked?.reason;

  test("an outbox that deletes what it published", async () => {
    await query("ALTER TABLE outbox_events DROP dispatched_at");
    open({}, { lifecycle: { kind: "delete" } });
    expect(await reason()).toBe("Outbox orders deletes what it published, so no published message is left to look up.");
  });

  test("an outbox that is not there", async () => {
    open({ outbox: "payments" });
    expect(await reason()).toBe('There is no outbox named "payments" now.');
  });

  test("a table that only a scan could search, with the index that would help", async () => {
    await query("ALTER TABLE processed_events DROP CONSTRAINT processed_events_pkey, ADD n bigserial PRIMARY KEY");
    await publishTen();
    await process("true");
    await query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET seq_page_cost = 1000000', current_database()); END $$`,
    );
    open();
    const [pair] = (await checked()).pairs;
    await query(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET seq_page_cost', current_database()); END $$`);
    expect(pair?.check).toBeNull();
    expect(pair?.unchecked).toMatchObject({ reason: expect.stringMatching(/^No index/), since: expect.any(String) });
    expect(pair?.unchecked?.index).toMatch(/^CREATE INDEX .*event_id/);
  });
});

describe("from one check to the next", () => {
  const next = async (isReached: (state: InboxState) => boolean) => {
    return waitFor(
      async () => {
        const state = await reconcile(runtime, "loyalty", { paceMs: 1 });
        return state !== null && isReached(state) && state;
      },
      { message: "the check has seen the change" },
    );
  };

  test("a message that was missed while it was young is missing, even in an inbox that is empty", async () => {
    open({ processWithin: "2s" });
    await query(
      "INSERT INTO outbox_events (event_type, payload, dispatched_at) VALUES ('order.placed', '{}', now() + interval '1 second')",
    );
    expect(pairOf(await checked())).toMatchObject({ notProcessed: 0, recent: 1 });
    const state = await next((one) => pairOf(one).recent === 0);
    expect(pairOf(state)).toMatchObject({ notProcessed: 1, unknown: 0, keptSince: null });
  });

  test("what is processed late, retried or archived leaves the list", async () => {
    await publishTen();
    await process("id > 3");
    open();
    expect(pairOf(await checked())).toMatchObject({ notProcessed: 3 });
    await process("id = 1");
    await query("UPDATE outbox_events SET dispatched_at = NULL WHERE id = 2; DELETE FROM outbox_events WHERE id = 3");
    await next((one) => pairOf(one).notProcessed === 0);
  });

  test("a store that does not answer leaves the last check, with since when it is not known", async () => {
    await publishTen();
    await process("id <> 2");
    open();
    expect(pairOf(await checked())).toMatchObject({ notProcessed: 1 });
    await query("ALTER TABLE processed_events RENAME TO gone");
    const state = await next(({ pairs }) => pairs[0]?.unchecked !== null);
    expect(state.pairs[0]).toMatchObject({
      check: { notProcessed: 1 },
      unchecked: { since: expect.stringMatching(/^2/) },
    });
  });
});

describe("the rows of an inbox", () => {
  test("that name a message of no outbox are found, unless the message may have been removed", async () => {
    await publishTen();
    await process("true");
    await query(
      `INSERT INTO processed_events VALUES (777, now() - interval '2 hours'), (778, now() - interval '20 hours')`,
    );
    open();
    const { check } = (await checked()).rows;
    expect(check).toMatchObject({ checked: 12, known: 10, unmatched: 1, unknown: 1, whole: true });
    expect(check?.rows.map(({ messageId }) => messageId)).toEqual(["777"]);
  });
});

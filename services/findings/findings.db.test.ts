import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { readOpenFindings } from "#db/records/findings.ts";
import { recordsOver } from "#db/records/open-records.ts";
import { type DemoRuntime, openDemoRuntime } from "#demo/testing/demo-runtime.fixture.ts";
import type { Cause } from "#domain/diagnosis/cause.ts";
import { CAUSE_CODES, type CauseCode } from "#domain/diagnosis/words.ts";
import { testDatabase } from "#tests/postgres.ts";
import { listOutboxes } from "../outboxes/list-outboxes.ts";
import { examineOutbox, takeSnapshot } from "../outboxes/take-snapshot.ts";
import { listFindings } from "./list-findings.ts";
import { recordFindings } from "./record-findings.ts";

const database = testDatabase();
let demo: DemoRuntime;

beforeAll(async () => {
  demo = await openDemoRuntime(database().url);
});
afterAll(() => demo.close());
afterEach(async () => {
  await demo.pool.query("TRUNCATE outbox_console_app.finding, outbox_console_app.monitor_lease");
});

const cause = (over: Partial<Cause> = {}): Cause => ({
  rule: "overdue",
  key: "overdue",
  word: "late",
  severity: "fail",
  title: "Overdue messages",
  subject: "the oldest due for 90 s",
  what: "the oldest message has been due",
  sentence: "the oldest message has been due since 03:00:00 UTC",
  diagnosis: "5 messages were due.",
  nextStep: "Look at the Overview.",
  next: { label: "See what waits", path: "/messages?outbox=orders" },
  messages: 5,
  aggregates: 2,
  since: new Date().toISOString(),
  evidence: [{ label: "Overdue", value: "5 messages" }],
  ...over,
});
const record = (causes: Cause[], unread: CauseCode[] = []) =>
  recordFindings({ records: recordsOver(demo.pool), outbox: "orders", causes, unread });
const rows = async () =>
  (
    await demo.pool.query(
      "SELECT rule, subject, since::text, closed_at IS NULL AS open, detail ->> 'messages' AS messages FROM outbox_console_app.finding ORDER BY since",
    )
  ).rows;

test("a finding opens, keeps its beginning while it stands, and closes", async () => {
  await record([cause()]);
  const [opened] = await rows();
  await record([cause({ messages: 9 })]);
  expect(await rows()).toEqual([{ ...opened, messages: "9" }]);
  await record([]);
  expect(await rows()).toEqual([{ ...opened, messages: "9", open: false }]);
});

test("a look that finds nothing writes nothing, and what an older version wrote of its looks is no finding", async () => {
  await record([], ["overdue"]);
  expect(await rows()).toEqual([]);
  await demo.pool.query(`INSERT INTO outbox_console_app.finding (outbox, rule, subject, since, seen_at, closed_at, detail)
    VALUES ('orders', '_looked', '', 'epoch', now(), now(), '{"unread": []}')`);
  expect(await readOpenFindings(demo.pool, "orders")).toEqual([]);
});

test("one that comes back at once was never gone; one that comes back later is new", async () => {
  await record([cause()]);
  await record([]);
  await record([cause()]);
  expect(await rows()).toHaveLength(1);
  expect((await rows())[0].open).toBe(true);
  await record([]);
  await demo.pool.query(
    "UPDATE outbox_console_app.finding SET closed_at = now() - interval '5 min' WHERE rule = 'overdue'",
  );
  await record([cause({ since: new Date(Date.now() + 1000).toISOString() })]);
  expect((await rows()).map((row) => row.open)).toEqual([false, true]);
});

test("a rule that could not be judged closes nothing", async () => {
  await record([cause()]);
  await record([], ["overdue"]);
  expect(await readOpenFindings(demo.pool, "orders")).toHaveLength(1);
});

test("findings, snapshot and list print the same causes in the same order", async () => {
  const { runtime } = demo;
  const { causes } = await examineOutbox({ runtime, outbox: "orders" });
  const { verdict } = await takeSnapshot({ runtime, outbox: "orders" });
  const list = await listFindings({ runtime, outbox: "orders" });
  const { outboxes } = await listOutboxes({ runtime });
  expect(causes[0]?.rule).toBe("no_relay_alive");
  expect(list.findings.map(({ sentence }) => sentence)).toEqual(causes.map(({ sentence }) => sentence));
  expect(list.verdict).toEqual(verdict);
  expect(verdict.cause).toBe(causes[0]?.sentence);
  expect(outboxes.find(({ name }) => name === "orders")?.verdict).toEqual(verdict);
});

test("rules whose facts could not be read are named, and not among those that were checked", async () => {
  const fresh = await openDemoRuntime(database().url);
  const locker = await demo.pool.connect();
  try {
    await fresh.runtime.tables();
    await locker.query("BEGIN; LOCK TABLE shop.outbox_events IN ACCESS EXCLUSIVE MODE");
    const { checked, unchecked } = await listFindings({ runtime: fresh.runtime, outbox: "orders" });
    expect(unchecked.map(({ rule }) => rule)).toContain("clock_skew");
    expect([...checked, ...unchecked].map(({ rule }) => rule).sort()).toEqual([...CAUSE_CODES].sort());
  } finally {
    await locker.query("ROLLBACK");
    locker.release();
    await fresh.close();
  }
});

test("a store that does not answer is an error, never an empty page", async () => {
  const lost = await openDemoRuntime(database().url);
  await lost.runtime.tables();
  await lost.close();
  await expect(listFindings({ runtime: lost.runtime, outbox: "orders" })).rejects.toThrow();
});

test("an unknown outbox is not found", async () => {
  await expect(listFindings({ runtime: demo.runtime, outbox: "nope" })).rejects.toMatchObject({ code: "not_found" });
});

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { takeMonitorLease } from "#db/watchdog/monitor-lease.ts";
import { type DemoRuntime, openDemoRuntime } from "#demo/testing/demo-runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import type { Evaluation } from "./evaluate-outbox.ts";
import { evaluateOutbox } from "./evaluate-outbox.ts";
import type { RuledDraft } from "./explain-away.ts";
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

const draft = (over: Partial<RuledDraft> = {}): RuledDraft => ({
  rule: "overdue",
  key: "overdue",
  severity: "fail",
  title: "Overdue messages",
  subject: "oldest due 90 s ago",
  diagnosis: "5 messages were due.",
  nextStep: "Look at the Overview.",
  href: "/messages?outbox=orders",
  messages: 5,
  aggregates: 2,
  since: null,
  evidence: [{ label: "Overdue", value: "5 messages" }],
  ...over,
});
const record = (findings: RuledDraft[], unread: Evaluation["unread"] = []) =>
  recordFindings({ consoleDb: demo.pool, outbox: "orders", evaluation: { findings, unread, asOf: "" } });
const rows = async () =>
  (
    await demo.pool.query(
      "SELECT rule, subject, since::text, closed_at IS NULL AS open, detail ->> 'messages' AS messages FROM outbox_console_app.finding WHERE rule <> '_looked' ORDER BY since",
    )
  ).rows;
const list = () => listFindings({ runtime: demo.runtime, outbox: "orders" });
const lead = () => takeMonitorLease(demo.pool, "monitor", 10_000);

test("a finding opens, keeps its beginning while it stands, and closes", async () => {
  await record([draft()]);
  const [opened] = await rows();
  await record([draft({ messages: 9 })]);
  expect(await rows()).toEqual([{ ...opened, messages: "9" }]);
  await record([]);
  expect(await rows()).toEqual([{ ...opened, messages: "9", open: false }]);
});

test("a beginning that the facts tell is the finding's own", async () => {
  await record([draft({ since: "2026-01-02T03:04:05.000006Z" })]);
  await lead();
  expect((await list()).findings[0]?.since).toBe("2026-01-02T03:04:05.000006Z");
});

test("one that comes back at once was never gone; one that comes back later is new", async () => {
  await record([draft()]);
  await record([]);
  await record([draft()]);
  expect(await rows()).toHaveLength(1);
  expect((await rows())[0].open).toBe(true);
  await record([]);
  await demo.pool.query(
    "UPDATE outbox_console_app.finding SET closed_at = now() - interval '5 min' WHERE rule = 'overdue'",
  );
  await record([draft()]);
  expect((await rows()).map((row) => row.open)).toEqual([false, true]);
});

test("a rule that could not be judged closes nothing, and is not said to be checked", async () => {
  await record([draft()]);
  await record([], [{ rule: "overdue", error: new Error("statement timeout") }]);
  expect((await rows())[0].open).toBe(true);
  await lead();
  const { checked, findings } = await list();
  expect(checked.map(({ rule }) => rule)).not.toContain("overdue");
  expect(checked).toHaveLength(13);
  expect(findings).toHaveLength(1);
});

test("lists what the monitor found, grave and old first, under ids that stay", async () => {
  await record([
    draft({ rule: "clock_skew", key: "clock", severity: "warn", since: "2026-01-01T00:00:00Z" }),
    draft({ rule: "locked", key: "pid 2", since: "2026-01-03T00:00:00Z" }),
    draft({ rule: "locked", key: "pid 1", since: "2026-01-02T00:00:00Z" }),
  ]);
  await lead();
  const first = await list();
  expect(first.findings.map(({ rule, since }) => [rule, since.slice(0, 10)])).toEqual([
    ["locked", "2026-01-02"],
    ["locked", "2026-01-03"],
    ["clock_skew", "2026-01-01"],
  ]);
  expect(new Set(first.findings.map(({ id }) => id)).size).toBe(3);
  expect((await list()).findings).toEqual(first.findings);
});

test("without a live monitor the outbox is looked at now, and what was kept is not told as the present", async () => {
  await record([draft({ rule: "clock_skew", key: "clock" })]);
  const { findings, asOf } = await list();
  expect(findings.map(({ rule }) => rule)).toEqual(["no_relay_alive"]);
  expect(Date.now() - Date.parse(asOf)).toBeLessThan(10_000);
});

test("a store that does not answer is an error, never an empty page", async () => {
  const lost = await openDemoRuntime(database().url);
  const broken = { ...lost.outbox, store: { ...lost.outbox.store, reads: lost.outbox.store.reads } };
  await lost.close();
  await expect(evaluateOutbox({ outbox: broken })).rejects.toThrow();
});

test("an unknown outbox is not found", async () => {
  await expect(listFindings({ runtime: demo.runtime, outbox: "nope" })).rejects.toMatchObject({ code: "not_found" });
});

import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { recordsOver } from "#db/records/open-records.ts";
import { type DemoRuntime, openDemoRuntime } from "#demo/testing/demo-runtime.fixture.ts";
import type { Cause } from "#domain/diagnosis/cause.ts";
import { testDatabase } from "#tests/postgres.ts";
import { recordFindings } from "../findings/record-findings.ts";
import { openSinceKeeper } from "./since-keeper.ts";

const THREE = "2026-11-28T03:00:00.000000Z";
const A_MINUTE_PAST = "2026-11-28T03:01:00.000000Z";
const TWO_MINUTES_PAST = "2026-11-28T03:02:00.000000Z";
const THREE_MINUTES_PAST = "2026-11-28T03:03:00.000000Z";

const database = testDatabase();
let demo: DemoRuntime;
let nowMs = 0;

beforeAll(async () => {
  demo = await openDemoRuntime(database().url);
});
afterAll(() => demo.close());
beforeEach(() => pass(3_600_000));
afterEach(async () => {
  vi.restoreAllMocks();
  await demo.pool.query("TRUNCATE outbox_console_app.finding, outbox_console_app.monitor_lease");
});

/** A console that gets no requests in the meantime. */
function pass(ms: number): void {
  nowMs += ms;
  vi.spyOn(performance, "now").mockReturnValue(nowMs);
}

const CAUSE: Cause = {
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
  since: THREE,
  evidence: [],
};

const openAt = (asOf: string) => openSinceKeeper(demo.runtime, "orders", asOf);

/** As the monitor that leads does. */
async function record(causes: Cause[]): Promise<void> {
  const records = recordsOver(demo.pool);
  await records.takeMonitorLease("worker", 30_000);
  await recordFindings({ records, outbox: "orders", causes, unread: [] });
}

test("a console that is asked once a minute says since when the monitor has seen a cause", async () => {
  const before = await openAt(THREE);
  expect(before("overdue", "overdue")).toBe(THREE);
  await record([CAUSE]);
  pass(60_000);
  const later = await openAt(A_MINUTE_PAST);
  expect(later("overdue", "overdue")).toBe(THREE);
});

test("a beginning is never after the reading, and stays where it was put, after the database's clock was set back", async () => {
  const before = await openAt(THREE_MINUTES_PAST);
  expect(before("overdue", "overdue")).toBe(THREE_MINUTES_PAST);
  pass(2000);
  const setBack = await openAt(THREE);
  expect(setBack("overdue", "overdue")).toBe(THREE);
  pass(2000);
  const later = await openAt("2026-11-28T03:00:02.000000Z");
  expect(later("overdue", "overdue")).toBe(THREE);
});

test("a beginning that this console saw before the monitor did stays, for as long as it is the same cause", async () => {
  const first = await openAt(THREE);
  first("overdue", "overdue");
  pass(20_000);
  const second = await openAt("2026-11-28T03:00:20.000000Z");
  expect(second("overdue", "overdue")).toBe(THREE);
  await record([{ ...CAUSE, since: "2026-11-28T03:00:08.000000Z" }]);
  pass(60_000);
  const third = await openAt("2026-11-28T03:01:20.000000Z");
  expect(third("overdue", "overdue")).toBe(THREE);

  await demo.pool.query("TRUNCATE outbox_console_app.finding");
  await record([{ ...CAUSE, since: TWO_MINUTES_PAST }]);
  pass(60_000);
  const fourth = await openAt(THREE_MINUTES_PAST);
  expect(fourth("overdue", "overdue")).toBe(TWO_MINUTES_PAST);
});

test("a cause that the monitor saw end while nobody asked begins anew", async () => {
  const before = await openAt(THREE);
  before("overdue", "overdue");
  await record([CAUSE]);
  await record([]);
  pass(60_000);
  const later = await openAt(A_MINUTE_PAST);
  expect(later("overdue", "overdue")).toBe(A_MINUTE_PAST);
});

test("without a monitor a cause keeps its beginning from one poll to the next, until a poll does not find it", async () => {
  const first = await openAt(THREE);
  first("overdue", "overdue");
  pass(60_000);
  const second = await openAt(A_MINUTE_PAST);
  expect(second("overdue", "overdue")).toBe(THREE);
  pass(60_000);
  await openAt(TWO_MINUTES_PAST);
  pass(60_000);
  const fourth = await openAt(THREE_MINUTES_PAST);
  expect(fourth("overdue", "overdue")).toBe(THREE_MINUTES_PAST);
});

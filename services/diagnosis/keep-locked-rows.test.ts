import { expect, test } from "vitest";
import type { LockHolder } from "#domain/diagnosis/facts/sessions.ts";
import { keepLockedRows } from "./keep-locked-rows.ts";

const holder = (given: Partial<LockHolder>): LockHolder => ({
  pid: 7,
  user: "reports",
  applicationName: "billing-report",
  clientAddress: null,
  state: "idle in transaction",
  transactionAt: "2026-11-23T10:00:00Z",
  queryAt: null,
  query: null,
  mode: "IX",
  wholeTable: false,
  keepsOutReaders: false,
  rows: 3,
  blockedPids: [],
  endStatement: "KILL 7",
  ...given,
});

test("rows that a transaction was seen to lock stay locked while it goes on, though they cannot be counted", () => {
  const uncounted = holder({ rows: null, transactionAt: "2026-11-23T10:00:01Z" });
  expect(keepLockedRows([uncounted], [holder({})])).toEqual([{ ...uncounted, rows: 3 }]);
});

test("a new count replaces the last one", () => {
  expect(keepLockedRows([holder({ rows: 0 })], [holder({})])).toEqual([holder({ rows: 0 })]);
});

test.each([
  ["another session", { pid: 8 }],
  ["a prepared transaction", { pid: null, preparedId: "bank-42" }],
  ["the same session's next transaction", { transactionAt: "2026-11-23T10:05:00Z" }],
])("%s says nothing of it", (_, given) => {
  const uncounted = holder({ rows: null, ...given });
  expect(keepLockedRows([uncounted], [holder({})])).toEqual([uncounted]);
});

test("a lock that outlives transactions is held since it was first seen to be", () => {
  const given = { mode: "SHARED_READ_ONLY", unlockStatement: "UNLOCK TABLES" };
  const [first, later] = [holder(given), holder({ ...given, transactionAt: "2026-11-23T10:05:00Z" })];
  expect(keepLockedRows([later], [first])).toEqual([first]);
  expect(keepLockedRows([later], [{ ...first, mode: "SHARED_NO_READ_WRITE" }])).toEqual([later]);
});

import { expect, test } from "vitest";
import { formatLsn, parseLsn } from "./lsn.ts";
import { parseSnapshot, sees } from "./snapshot.ts";

test("a snapshot sees what had ended when it was taken", () => {
  const snapshot = parseSnapshot("10:20:12,15");
  expect([9, 10, 12, 15, 19].map((xid) => sees(snapshot, xid))).toEqual([true, true, false, false, true]);
  expect([20, 21].map((xid) => sees(snapshot, xid))).toEqual([false, false]);
});

test("numbers of transactions go round, snapshots do not", () => {
  const snapshot = parseSnapshot("4294967290:4294967300:4294967298");
  expect(sees(snapshot, 4_294_967_289)).toBe(true);
  expect(sees(snapshot, 4_294_967_291)).toBe(true);
  expect(sees(snapshot, 1)).toBe(true);
  expect(sees(snapshot, 2)).toBe(false);
  expect(sees(snapshot, 4)).toBe(false);
});

test("positions are numbers and not texts", () => {
  expect(parseLsn("10/0") > parseLsn("2/FFFFFFFF")).toBe(true);
  expect(formatLsn(parseLsn("1A/2B3C"))).toBe("1A/2B3C");
});

import { describe, expect, test } from "vitest";
import { positionOf } from "../replication/log-transaction.ts";
import { TransactionHorizon } from "./transaction-horizon.ts";

const horizon = (xmin: bigint, xmax: bigint, writersXmin?: bigint) => new TransactionHorizon(xmin, xmax, writersXmin);

describe("a horizon", () => {
  test("has passed an earlier one once all that had begun by then have ended", () => {
    const earlier = horizon(5n, 8n);
    expect(horizon(7n, 9n).hasPassed(earlier)).toBe(false);
    expect(horizon(8n, 9n).hasPassed(earlier)).toBe(true);
  });

  test("is held back by no transaction that does not write the table, where that was asked for", () => {
    const earlier = horizon(5n, 8n);
    expect(horizon(5n, 9n, 8n).hasPassed(earlier)).toBe(true);
    expect(horizon(5n, 9n, 7n).hasPassed(earlier)).toBe(false);
  });

  test("knows a transaction of the log as ended, also where its number has wrapped", () => {
    const told = (xid: number) => ({ xid, commitLsn: 1n, committedAtMs: 0, position: positionOf(1n) });
    expect([9, 10, 11].map((xid) => horizon(10n, 12n).hasEnded(told(xid)))).toEqual([true, false, false]);
    const wrapped = horizon(2n ** 32n + 3n, 2n ** 32n + 9n);
    expect([4_294_967_295, 2, 3].map((xid) => wrapped.hasEnded(told(xid)))).toEqual([true, true, false]);
  });
});

test("positions compare as texts do, also where one has more digits", () => {
  const lsns = [0n, 9n, 10n, 0xffn, 0x1_0000_0000n, 0xffff_ffff_ffffn];
  expect(lsns.map(positionOf).toSorted()).toEqual(lsns.map(positionOf));
  expect("" < positionOf(0n)).toBe(true);
});

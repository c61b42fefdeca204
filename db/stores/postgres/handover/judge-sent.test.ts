import { expect, test } from "vitest";
import { judgeSent, type LoggedTransaction } from "./judge-sent.ts";

const of = (xid: number, endLsn: bigint, ...rows: [bigint, string][]): LoggedTransaction => ({
  xid,
  endLsn,
  rows: rows.map(([lsn, id]) => ({ lsn, id })),
});
const at = (commit: bigint | null, change: bigint | null, xid: number | null) => ({ commit, change, xid });

test("a transaction that was finished is sent, whatever the order in which it began", () => {
  const judged = judgeSent(of(7, 200n, [90n, "a"], [150n, "b"]), at(200n, 100n, 9));
  expect(judged).toEqual({ behind: [], doubtful: 0 });
});

test("a later transaction is not sent, though it began before the last change that was", () => {
  expect(judgeSent(of(7, 300n, [90n, "a"]), at(200n, 150n, 8))).toEqual({ behind: ["a"], doubtful: 0 });
});

test("the transaction that was under way is divided by its changes", () => {
  const judged = judgeSent(of(7, 300n, [210n, "a"], [220n, "b"], [230n, "c"]), at(200n, 220n, 7));
  expect(judged).toEqual({ behind: ["c"], doubtful: 0 });
});

test("rows of one change are in doubt: one of them was sent, and nothing says how many more", () => {
  const judged = judgeSent(of(7, 300n, [210n, "a"], [220n, "b"], [220n, "c"], [230n, "d"]), at(200n, 220n, 7));
  expect(judged).toEqual({ behind: ["b", "c", "d"], doubtful: 2 });
});

test("a place without a transaction sends everything behind it again", () => {
  expect(judgeSent(of(7, 300n, [210n, "a"]), at(200n, null, null))).toEqual({ behind: ["a"], doubtful: 1 });
});

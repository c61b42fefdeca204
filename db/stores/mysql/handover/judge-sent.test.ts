import { expect, test } from "vitest";
import { judgeSent } from "./judge-sent.ts";

/** Two events of two rows each, which end at 300 and 500. */
const rows = [
  { id: "a", file: "binlog.000001", end: 300, index: 0, order: 0 },
  { id: "b", file: "binlog.000001", end: 300, index: 1, order: 0 },
  { id: "c", file: "binlog.000001", end: 500, index: 0, order: 1 },
  { id: "d", file: "binlog.000001", end: 500, index: 1, order: 1 },
];

test("rows that were not sent are behind", () => {
  expect(judgeSent(rows, ({ end }) => end <= 300)).toEqual({ behind: ["c", "d"], doubtful: 0 });
  expect(judgeSent(rows, ({ order, index }) => order < 1 || index < 1)).toEqual({ behind: ["d"], doubtful: 0 });
});

test("a place that does not say how far it is in the transaction sends all of it again", () => {
  expect(judgeSent(rows, null)).toEqual({ behind: ["a", "b", "c", "d"], doubtful: 4 });
});

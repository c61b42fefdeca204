import { expect, test } from "vitest";
import { judgeSent } from "./judge-sent.ts";

/** Two events of two rows each, which end at 300 and 500. */
const rows = [
  { id: "a", file: "binlog.000001", end: 300, index: 0 },
  { id: "b", file: "binlog.000001", end: 300, index: 1 },
  { id: "c", file: "binlog.000001", end: 500, index: 0 },
  { id: "d", file: "binlog.000001", end: 500, index: 1 },
];

test("rows of events that were sent whole are sent", () => {
  const part = { upTo: 300, next: { end: 400, rows: 0 } };
  expect(judgeSent(rows, part)).toEqual({ behind: ["c", "d"], doubtful: 0 });
});

test("the event that was under way is divided by its rows", () => {
  expect(judgeSent(rows, { upTo: 400, next: { end: 500, rows: 1 } })).toEqual({ behind: ["d"], doubtful: 0 });
  expect(judgeSent(rows, { upTo: 200, next: { end: 300, rows: 2 } })).toEqual({ behind: ["c", "d"], doubtful: 0 });
});

test("a place that does not say how far it is in the transaction sends all of it again", () => {
  expect(judgeSent(rows, null)).toEqual({ behind: ["a", "b", "c", "d"], doubtful: 4 });
});

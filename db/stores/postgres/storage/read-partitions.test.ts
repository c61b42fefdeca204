import { expect, test } from "vitest";
import { type RangePartition, type RangeTable, readingOf } from "./read-partitions.ts";

const NOW_MS = Date.parse("2026-11-28T12:00:00Z");
const DAY_MS = 86_400_000;

/** A partition of whole days, counted from today; no end: MAXVALUE. */
function days(from: number, to: number | null): RangePartition {
  const startMs = Date.parse("2026-11-28T00:00:00Z");
  const [fromMs, toMs] = [startMs + from * DAY_MS, to === null ? null : startMs + to * DAY_MS];
  const place = fromMs > NOW_MS ? "ahead" : toMs !== null && toMs <= NOW_MS ? "past" : "current";
  const plain = { schema: "public", bytes: 0, rows: 0, isDefault: false, isDetaching: false };
  return { ...plain, name: `p${from}`, from: String(from), to: String(to), fromMs, toMs, place };
}

function room(...partitions: RangePartition[]) {
  const table: RangeTable = { column: "created_at", type: "timestamptz", partitions, nowMs: NOW_MS, managedBy: null };
  const { ahead, runwaySeconds } = readingOf(table);
  return { ahead, runwaySeconds };
}

test("room ends with the last partition", () => {
  expect(room(days(-1, 0), days(0, 1), days(1, 2))).toEqual({ ahead: 1, runwaySeconds: 1.5 * 86_400 });
  expect(room(days(0, 1), days(1, null))).toEqual({ ahead: 1, runwaySeconds: null });
});

test("room ends where a partition is missing, whatever lies behind the gap", () => {
  expect(room(days(0, 1), days(2, 3), days(3, null))).toEqual({ ahead: 0, runwaySeconds: 0.5 * 86_400 });
});

test("there is no room where the current partition is missing", () => {
  expect(room(days(-1, 0), days(1, 2), days(2, 3))).toEqual({ ahead: 0, runwaySeconds: 0 });
  expect(room()).toEqual({ ahead: 0, runwaySeconds: 0 });
  const rest: RangePartition = { ...days(0, null), isDefault: true, fromMs: null, place: "default" };
  expect(room(days(-1, 0), rest)).toEqual({ ahead: 0, runwaySeconds: 0 });
  expect(room(rest), "rows are meant to go there").toEqual({ ahead: 0, runwaySeconds: null });
});

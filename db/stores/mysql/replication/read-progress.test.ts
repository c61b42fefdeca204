import { expect, test } from "vitest";
import { positionOf } from "./binlog-place.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { joinGtids } from "./gtid-set.ts";
import { type PartEnd, ReadProgress } from "./read-progress.ts";

const place = (file: number, offset: number) => ({ incarnation: 1, file: `binlog.${file}`, offset });
const START: Checkpoint = { server: "s", place: place(1, 4), gtids: "u:1-3", readToMs: 0 };
const end = (offset: number, gtid: string | null, ours: boolean): PartEnd => ({
  ...{ place: place(1, offset), gtid, ours, readToMs: offset },
});

test("positions compare as places do, over files and servers", () => {
  const places = [
    place(9, 900),
    place(10, 4),
    place(999_999, 5),
    place(1_000_000, 4),
    { incarnation: 2, file: "other.000001", offset: 4 },
  ];
  const positions = places.map(positionOf);
  expect(positions.toSorted()).toEqual(positions);
  expect(new Set(positions).size).toBe(places.length);
});

test("a checkpoint has the place that was confirmed, and the transactions up to there", () => {
  const progress = new ReadProgress(START);
  const first = progress.read(end(100, "u:4", true));
  const second = progress.read(end(200, "u:5", true));
  progress.read(end(300, "u:6", true));
  expect(progress.confirm(first)).toBe(true);
  expect(progress.checkpoint).toEqual({ server: "s", place: place(1, 100), gtids: "u:1-4", readToMs: 100 });
  expect(progress.confirm(second)).toBe(true);
  expect(progress.confirm(first)).toBe(false);
  expect(progress.checkpoint).toMatchObject({ place: place(1, 200), gtids: "u:1-5" });
});

test("foreign transactions are confirmed with what follows them, and not before", () => {
  const progress = new ReadProgress(START);
  const first = progress.read(end(100, "u:4", true));
  progress.read(end(200, "u:5", false));
  const foreign = progress.read(end(300, "v:1", false));
  progress.confirm(first);
  expect(progress.checkpoint).toMatchObject({ place: place(1, 100), gtids: "u:1-4" });
  expect(progress.confirm(foreign)).toBe(false);
  expect(progress.checkpoint).toMatchObject({ place: place(1, 300), gtids: "u:1-5,v:1" });
});

test("without numbers of transactions, only the place is kept", () => {
  const progress = new ReadProgress({ ...START, gtids: null });
  progress.confirm(progress.read(end(100, null, true)));
  expect(progress.checkpoint).toMatchObject({ place: place(1, 100), gtids: null });
});

test.each([
  ["", ["u:1"], "u:1"],
  ["u:1-5:7", ["u:6", "u:9"], "u:1-7:9"],
  ["u:1-5:tag:1-2,v:3", ["u:tag:3", "v:4", "u:7"], "u:1-5:7,u:tag:1-3,v:3-4"],
  ["u:9007199254740993", ["u:9007199254740994"], "u:9007199254740993-9007199254740994"],
  ["0-1-5,1-1-9", ["0-2-6", "0-2-7"], "0-2-7,1-1-9"],
  ["", ["0-1-1"], "0-1-1"],
])("the set %j with %j is %j", (set, gtids, joined) => {
  expect(joinGtids(set, gtids)).toBe(joined);
});

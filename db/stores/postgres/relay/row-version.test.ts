import { expect, test } from "vitest";
import { isOfVersion, lowXid, ReadPoint } from "./row-version.ts";

const TURN = 2n ** 32n;

test.each([
  { of: "within the first turn of ids", point: 1000n, below: "999", from: "1000" },
  { of: "in the second turn, of a row of the second", point: TURN + 1000n, below: "999", from: "1001" },
  { of: "just after a turn, of a row of the one before", point: TURN + 10n, below: "4294967290", from: "10" },
  { of: "just before a turn", point: TURN - 10n, below: "4294967285", from: "3" },
])("a read's point tells a writer below it from one that is not, $of", ({ point, below, from }) => {
  const read = new ReadPoint(point);
  expect(read.versionOf(below)).toEqual({ xid: null, below: point });
  expect(read.versionOf(null)).toBe(read.versionOf(below));
  expect(read.versionOf(from)).toEqual({ xid: from, below: null });
  expect(isOfVersion(below, read.versionOf(null))).toBe(true);
  expect(isOfVersion(lowXid(point), read.versionOf(null))).toBe(false);
  expect(isOfVersion(from, read.versionOf(null))).toBe(false);
  expect(isOfVersion(below, read.versionOf(from))).toBe(false);
});

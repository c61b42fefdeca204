import { expect, test } from "vitest";
import { commonPlace, isOfVersion, lowXid, ReadPlace, ReadPoint, type RowVersion } from "./row-version.ts";

const TURN = 2n ** 32n;

test.each([
  { of: "within the first turn of ids", point: 1000n, below: "999", from: "1000" },
  { of: "in the second turn, of a row of the second", point: TURN + 1000n, below: "999", from: "1001" },
  { of: "just after a turn, of a row of the one before", point: TURN + 10n, below: "4294967290", from: "10" },
  { of: "just before a turn", point: TURN - 10n, below: "4294967285", from: "3" },
])("a read's point tells a writer below it from one that is not, $of", ({ point, below, from }) => {
  const read = new ReadPoint(point);
  expect(read.versionOf(below)).toMatchObject({ xid: null, below: point });
  expect(read.versionOf(null)).toBe(read.versionOf(below));
  expect(read.versionOf(from)).toEqual({ xid: from, below: null });
  expect(isOfVersion(below, read.versionOf(null))).toBe(true);
  expect(isOfVersion(lowXid(point), read.versionOf(null))).toBe(false);
  expect(isOfVersion(from, read.versionOf(null))).toBe(false);
  expect(isOfVersion(below, read.versionOf(from))).toBe(false);
});

test.each([
  { of: "reads at one place", places: [1000n, 1000n], xids: [null, null], common: 1000n },
  { of: "two places, all rows below the lower", places: [1000n, 1005n], xids: ["7", "999"], common: 1000n },
  { of: "two places, a row between them", places: [1000n, 1005n], xids: ["7", "1002"], common: null },
  { of: "two places, where the rows' writers were not read", places: [1000n, 1005n], xids: [null, null], common: null },
  { of: "a row that was not below its place", places: [1000n, 1000n], xids: ["7", "1000"], common: null },
])("messages of several reads share a place or are told one by one, $of", ({ places, xids, common }) => {
  const versions = places.map((place, index): RowVersion => new ReadPoint(place).versionOf(xids[index] ?? null));
  expect(commonPlace(new Set(versions))).toBe(common);
});

test("a place stays while all rows are below it, and is never later than a read", () => {
  const place = new ReadPlace();
  expect([place.at(1000n), place.at(1200n)]).toEqual([1000n, 1000n]);
  place.keepIf(true);
  expect(place.at(1300n)).toBe(1000n);
  place.keepIf(false);
  expect(place.at(1300n)).toBe(1300n);
  expect(place.at(1100n), "transactions that a failover lost").toBe(1100n);
  expect(place.at(1100n + TURN / 2n), "too far to compare").toBe(1100n + TURN / 2n);
});

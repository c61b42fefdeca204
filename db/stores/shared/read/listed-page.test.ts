import { expect, test } from "vitest";
import { encodeCursor } from "./cursor.ts";
import { joinPartial, pageStart } from "./listed-page.ts";

const PLACES = [
  { scope: "dead:moved:", keyset: { keys: ["time", "id"] } },
  { scope: "dead:table:", keyset: { keys: ["id"] } },
];

test("a list begins at its first place", () => {
  expect(pageStart(PLACES, undefined)).toEqual({ index: 0, after: undefined });
});

test("a cursor names its place and the last row that was shown there", () => {
  expect(pageStart(PLACES, encodeCursor("dead:moved:", ["2026-01-01", "7"]))).toEqual({
    index: 0,
    after: ["2026-01-01", "7"],
  });
  expect(pageStart(PLACES, encodeCursor("dead:table:", ["7"]))).toEqual({ index: 1, after: ["7"] });
});

test("a page that filled up at the end of one place goes on at the start of the next", () => {
  expect(pageStart(PLACES, encodeCursor("dead:table:", ["start"]))).toEqual({ index: 1, after: undefined });
});

test("a damaged cursor and one of another list are refused", () => {
  expect(() => pageStart(PLACES, "no cursor")).toThrow("damaged or belongs to another list");
  expect(() => pageStart(PLACES, encodeCursor("failed:table:", ["7"]))).toThrow("belongs to another list");
});

test("a page has left out rows if one of its places has", () => {
  const read = { read: 500, index: "", skipped: false };
  expect(joinPartial(null, null)).toBeNull();
  expect(joinPartial(null, read)).toEqual(read);
  expect(joinPartial(read, { ...read, skipped: true })).toEqual({ ...read, skipped: true });
});

import { expect, test } from "vitest";
import { formatBytes, formatLimit } from "#domain/format.ts";
import { clipWords } from "./clip-words.ts";
import { formatCompact, formatFigure } from "./format-figure.ts";
import { formatInstant, formatUtcTime } from "./format-instant.ts";
import { shortenId } from "./shorten-id.ts";

test("a figure shows how exact it is", () => {
  expect(formatFigure({ value: 4812, precision: "exact" })).toBe("4,812");
  expect(formatFigure({ value: 9_812_345, precision: "estimate" })).toBe("≈ 9.8 M");
  expect(formatFigure({ value: 10_000, precision: "capped" })).toBe("10k+");
  expect(formatFigure({ value: 9_999, precision: "capped" })).toBe("9.9k+");
  expect(formatFigure({ value: 123_999, precision: "capped" })).toBe("123k+");
  expect(formatFigure({ value: 1_999_999, precision: "capped" })).toBe("1.9M+");
  expect(formatFigure({ value: 12, precision: "capped" })).toBe("12+");
  expect(formatFigure({ value: 0, precision: "unknown" })).toBe("–");
});

test("compact numbers never round up into the next unit's three digits", () => {
  expect(formatCompact(999)).toBe("999");
  expect(formatCompact(1_000)).toBe("1k");
  expect(formatCompact(999_999)).toBe("1 M");
  expect(formatCompact(2_500_000_000)).toBe("2.5 G");
  expect(formatBytes(318)).toBe("318 B");
  expect(formatBytes(1_400_000)).toBe("1.4 MB");
});

test("limits omit a zero second unit", () => {
  expect([5, 60, 90, 300, 3600, 86_400].map(formatLimit)).toEqual(["5 s", "1 m", "1 m 30 s", "5 m", "1 h", "1 d"]);
});

test("an instant shows its date unless it is recent", () => {
  const now = Date.parse("2026-11-21T03:05:14Z");
  expect(formatInstant("2026-11-21T02:51:06.123456Z", now)).toBe("02:51:06");
  expect(formatInstant("2026-11-17T02:51:06Z", now)).toBe("Nov 17, 02:51");
  expect(formatInstant("2025-11-17T02:51:06Z", now)).toBe("Nov 17 2025, 02:51");
  expect(formatUtcTime("no instant")).toBe("no instant");
});

test("ids are cut in their middle, short ones stay whole", () => {
  expect(shortenId("018f6c2e-3b1d-7c44-9a41-0c9e00009a41")).toBe("018f6c2e…9a41");
  expect(shortenId("order-48213")).toBe("order-48213");
});

test("a long text ends after a word", () => {
  expect(clipWords("no FX rate for XBT", 40)).toBe("no FX rate for XBT");
  expect(clipWords("no FX rate for the currency XBT", 24)).toBe("no FX rate for the…");
  expect(clipWords('{"code":"NO_RATE","message":"x"}', 24)).toBe('{"code":"NO_RATE"…');
  expect(clipWords("x".repeat(50), 10)).toBe(`${"x".repeat(10)}…`);
});

import { expect, test } from "vitest";
import { clockOffsetMs } from "./server-clock.ts";

const NOON = Date.parse("2026-03-01T12:00:00Z");
const HEADER = "Sun, 01 Mar 2026 12:00:00 GMT";

test.each([
  ["within the header's second", HEADER, NOON + 100, NOON + 900, 0],
  ["ahead by ten seconds", HEADER, NOON + 10_400, NOON + 10_600, 10_000],
  ["behind by a minute", HEADER, NOON - 59_600, NOON - 59_400, -60_000],
  ["a slow answer explains it", HEADER, NOON, NOON + 6_000, 0],
  ["no header", undefined, NOON, NOON, 0],
])("%s", (_, header, sentMs, receivedMs, offset) => {
  expect(clockOffsetMs(header, sentMs, receivedMs)).toBe(offset);
});

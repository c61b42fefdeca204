import { expect, test } from "vitest";
import { datetimeOf, rfc3339 } from "./instant.ts";

test.each([
  ["2024-05-06 07:08:09.123456", "2024-05-06T07:08:09.123456Z"],
  ["2024-05-06 07:08:09", "2024-05-06T07:08:09.000000Z"],
  ["9999-12-31 23:59:59.999999", "9999-12-31T23:59:59.999999Z"],
])("%s is printed as %s", (printed, instant) => {
  expect(rfc3339(printed)).toBe(instant);
  expect(datetimeOf(instant).startsWith(printed)).toBe(true);
});

test.each([
  ["2024-05-06T07:08:09.123456789+02:00", "2024-05-06 05:08:09.123456"],
  ["2024-05-06T07:08:09Z", "2024-05-06 07:08:09.000000"],
  ["2024-01-01T00:30:00.5+01:00", "2023-12-31 23:30:00.500000"],
])("%s is stored as %s", (instant, stored) => {
  expect(datetimeOf(instant)).toBe(stored);
});

test("a text that is no instant is refused", () => {
  expect(() => datetimeOf("yesterday")).toThrow(RangeError);
});

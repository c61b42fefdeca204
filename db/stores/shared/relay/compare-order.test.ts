import { expect, test } from "vitest";
import { compareOrder } from "./compare-order.ts";

test.each<[string, string[]]>([
  [
    "whole numbers",
    ["-9007199254740994", "-9007199254740993", "-10", "-9", "0", "2", "10", "9007199254740993", "9007199254740994"],
  ],
  [
    "numbers with a fraction",
    ["-10.50", "-9.80", "-9.8", "0.05", "0.5", "9.80", "9.9", "10", "10.50", "10.5001", "100.1"],
  ],
  ["times", ["2026-01-02 03:04:05+00", "2026-01-02 03:04:05.1+00", "2026-01-02 03:04:06+00", "2026-11-01 00:00:00+00"]],
  [
    "uuids",
    [
      "019a1111-0000-7000-8000-000000000000",
      "019a1111-0000-7000-8000-00000000000a",
      "a19a1111-0000-7000-8000-000000000000",
    ],
  ],
])("%s have the order of the database", (_, texts) => {
  for (const [n, left] of texts.entries())
    for (const [m, right] of texts.entries()) {
      const order = Math.sign(compareOrder([left, ""], [right, ""]));
      const areEqual = Number(left) === Number(right) && left.length < 10;
      expect(order, `${left}, ${right}`).toBe(areEqual ? 0 : Math.sign(n - m));
    }
});

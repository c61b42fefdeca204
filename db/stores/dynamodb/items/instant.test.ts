import { expect, test } from "vitest";
import { deadlineOf, encodeInstant, instantOf } from "./instant.ts";

const ISO = { kind: "timestamptz" } as const;

test.each([
  ["2026-03-01T10:00:00Z", ISO, "2026-03-01T10:00:00.000000Z"],
  ["2026-03-01T10:00:00.123456789+02:00", ISO, "2026-03-01T08:00:00.123456Z"],
  ["2026-03-01 10:00:00.5", ISO, "2026-03-01T10:00:00.500000Z"],
  ["1772359200", { kind: "epoch", unit: "s" }, "2026-03-01T10:00:00.000000Z"],
  ["1772359200.25", { kind: "epoch", unit: "s" }, "2026-03-01T10:00:00.250000Z"],
  ["1772359200123", { kind: "epoch", unit: "ms" }, "2026-03-01T10:00:00.123000Z"],
  ["253402300799.5", { kind: "epoch", unit: "s" }, "9999-12-31T23:59:59.500000Z"],
  ["1772359200123", { kind: "epoch", unit: "s" }, null],
  ["9223372036854775807", { kind: "epoch", unit: "s" }, null],
  ["9999-12-31T23:59:59-05:00", ISO, null],
  ["0001-01-01T00:00:00+02:00", ISO, "0000-12-31T22:00:00.000000Z"],
  ["yesterday", ISO, null],
  ["-1", { kind: "epoch", unit: "s" }, null],
] as const)("%s is %s", (text, encoding, instant) => {
  expect(instantOf(text, encoding)).toBe(instant);
});

test("an instant is written as it is read", () => {
  const at = new Date("2026-03-01T10:00:00.123Z");
  for (const encoding of [ISO, { kind: "epoch", unit: "ms" }] as const) {
    const { S: text, N: number } = encodeInstant(at, encoding) as { S?: string; N?: string };
    expect(instantOf(text ?? number ?? "", encoding)).toBe("2026-03-01T10:00:00.123000Z");
  }
});

test("a number beyond the year 9999 is a deadline that never comes", () => {
  expect(deadlineOf("1772359200123", { kind: "epoch", unit: "s" })).toBe("9999-12-31T23:59:59.999999Z");
  expect(deadlineOf("1772359200123", { kind: "epoch", unit: "ms" })).toBe("2026-03-01T10:00:00.123000Z");
  expect(deadlineOf("yesterday", { kind: "epoch", unit: "s" })).toBeNull();
});

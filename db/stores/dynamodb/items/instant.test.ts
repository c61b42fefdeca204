import { expect, test } from "vitest";
import { encodeInstant, instantOf } from "./instant.ts";

const ISO = { kind: "timestamptz" } as const;

test.each([
  ["2026-03-01T10:00:00Z", ISO, "2026-03-01T10:00:00.000000Z"],
  ["2026-03-01T10:00:00.123456789+02:00", ISO, "2026-03-01T08:00:00.123456Z"],
  ["2026-03-01 10:00:00.5", ISO, "2026-03-01T10:00:00.500000Z"],
  ["1772359200", { kind: "epoch", unit: "s" }, "2026-03-01T10:00:00.000000Z"],
  ["1772359200.25", { kind: "epoch", unit: "s" }, "2026-03-01T10:00:00.250000Z"],
  ["1772359200123", { kind: "epoch", unit: "ms" }, "2026-03-01T10:00:00.123000Z"],
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

import { describe, expect, test } from "vitest";
import { type Read, TransactionHorizon, WINDOW_MS } from "./transaction-horizon.ts";

const read = (fields: Partial<Read>) =>
  new TransactionHorizon({ before: null, beganAtMs: 0, endedAtMs: 0, marker: { server: "s", id: null }, ...fields });
const sample = (endedBelow: bigint, server = "s") => ({ server, endedBelow });

describe("a horizon", () => {
  test("passes an earlier read once every transaction below its marker has ended", () => {
    const earlier = read({ marker: { server: "s", id: 10n } });
    expect(read({ before: sample(9n) }).hasPassed(earlier)).toBe(false);
    expect(read({ before: sample(10n) }).hasPassed(earlier)).toBe(true);
  });

  test("passes nothing before the first sample, and no read whose marker is not known yet", () => {
    expect(read({}).hasPassed(read({ marker: { server: "s", id: 1n } }))).toBe(false);
    const marker = { server: "", id: null as bigint | null };
    const earlier = read({ marker });
    const later = read({ before: sample(99n) });
    expect(later.hasPassed(earlier)).toBe(false);
    Object.assign(marker, { server: "s", id: 5n });
    expect(later.hasPassed(earlier)).toBe(true);
  });

  test("passes what was read from a server that another has replaced, whose ids say nothing", () => {
    const earlier = read({ marker: { server: "old", id: 1000n } });
    expect(read({ before: sample(3n, "new") }).hasPassed(earlier)).toBe(true);
  });

  test("goes by time alone where the server tells no transactions", () => {
    const earlier = read({ before: "by time", endedAtMs: 1000 });
    expect(read({ before: "by time", beganAtMs: 999 + WINDOW_MS }).hasPassed(earlier)).toBe(false);
    expect(read({ before: "by time", beganAtMs: 1000 + WINDOW_MS }).hasPassed(earlier)).toBe(true);
  });
});

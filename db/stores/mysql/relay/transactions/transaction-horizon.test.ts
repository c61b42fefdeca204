import { describe, expect, test } from "vitest";
import { type Read, TransactionHorizon, WINDOW_MS } from "./transaction-horizon.ts";

const read = (fields: Partial<Read>) =>
  new TransactionHorizon({
    before: null,
    beganAtMs: 0,
    endedAtMs: 0,
    marker: { server: "s", id: null, number: 0 },
    ...fields,
  });
const sample = (endedBelow: bigint, server = "s", number = 1) => ({ server, number, endedBelow });
const marker = (id: bigint | null, server = "s", number = 1) => ({ server, id, number });

describe("a horizon", () => {
  test("passes an earlier read once every transaction below its marker has ended", () => {
    const earlier = read({ marker: marker(10n) });
    expect(read({ before: sample(9n) }).hasPassed(earlier)).toBe(false);
    expect(read({ before: sample(10n) }).hasPassed(earlier)).toBe(true);
  });

  test("passes nothing before the first sample, and no read whose marker is not known yet", () => {
    expect(read({}).hasPassed(read({ marker: marker(1n) }))).toBe(false);
    const unknown = marker(null);
    const earlier = read({ marker: unknown });
    const later = read({ before: sample(99n) });
    expect(later.hasPassed(earlier)).toBe(false);
    Object.assign(unknown, { id: 5n });
    expect(later.hasPassed(earlier)).toBe(true);
  });

  test("passes what was read from a server that another has replaced, whose ids say nothing, and not the other way round", () => {
    const ofOld = read({ marker: marker(1000n, "old", 4) });
    expect(read({ before: sample(3n, "new", 5) }).hasPassed(ofOld)).toBe(true);
    const ofNew = read({ marker: marker(3n, "new", 5) });
    expect(read({ before: sample(1000n, "old", 4) }).hasPassed(ofNew)).toBe(false);
  });

  test("goes by time alone where the server tells no transactions", () => {
    const earlier = read({ before: "by time", endedAtMs: 1000 });
    expect(read({ before: "by time", beganAtMs: 999 + WINDOW_MS }).hasPassed(earlier)).toBe(false);
    expect(read({ before: "by time", beganAtMs: 1000 + WINDOW_MS }).hasPassed(earlier)).toBe(true);
  });
});

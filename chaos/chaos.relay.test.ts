import { describe, expect, test } from "vitest";
import { longerTest } from "#tests/longer-test.ts";
import { runSmall } from "./run-in-test.ts";

describe("chaos over http", { timeout: 360_000 }, () => {
  test("kills, freezes, restarts and cuts: nothing lost, nothing inverted, every duplicate explained, every row true", async () => {
    const { seen, done } = await runSmall({});
    expect(seen.received).toBeGreaterThan(100);
    expect(Object.keys(done).length).toBeGreaterThan(5);
  });

  longerTest("nothing arrives twice without faults", async () => {
    const { seen } = await runSmall({ chaosMs: 0, messagesPerSecond: 500 }, [
      { atMs: 3000, kind: "db-line-slow", slot: 0, forMs: 100, amount: 1 },
    ]);
    expect(seen.received).toBeGreaterThan(100);
    expect(seen["counted by relays"]).toBe(seen.published);
  });
});

import { describe, expect, test } from "vitest";
import { BrokerUnavailable } from "#tests/brokers/broker.ts";
import { runSmall } from "./run-in-test.ts";

describe("chaos over a broker", { timeout: 360_000 }, () => {
  test("redis: nothing lost, nothing inverted, every duplicate explained, every row true", async ({ skip }) => {
    try {
      const { seen } = await runSmall({ sink: "redis" });
      expect(seen.received).toBeGreaterThan(100);
    } catch (error) {
      if (!(error instanceof BrokerUnavailable)) throw error;
      skip(`no redis: ${error.message}`);
    }
  });
});

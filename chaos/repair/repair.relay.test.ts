import { expect, test } from "vitest";
import { describeRepair } from "./main.ts";
import { runRepair } from "./run-repair.ts";

const ROWS = 600;

const FAULTS = [
  { at: 0.3, name: "worker killed" },
  { at: 0.6, name: "database restarted" },
] as const;

test("an operation retries every message once, though its worker is killed and its database restarted", async () => {
  const result = await runRepair({
    ...{ rows: ROWS, perSecond: 20, ratePerSecond: null, beforeMs: 0, faults: FAULTS, say: () => undefined },
  });
  const text = describeRepair(ROWS, result);
  console.log(`\n${text}`);
  expect(result.violations, text).toEqual([]);
  expect(result.during.events).toBeGreaterThan(0);
});

import type { Incident } from "../../incident.ts";
import { CLOCKED } from "./clocked.ts";

/** The console host's clock differs from the database's: reported in both directions. */
function consoleClock(name: string, clockShiftMs: number): Incident {
  return {
    name,
    stack: "clocks",
    outboxes: [CLOCKED],
    produce: async (scene) => {
      await scene.stack.stopConsole();
      await scene.stack.startConsole({ clockShiftMs });
      await scene.begin();
    },
    stages: [
      {
        status: "warn",
        rule: "clock_skew",
        cause: [/clock/i, clockShiftMs > 0 ? /ahead|fast/ : /behind|slow/, /3 m 00 s|2 m 59 s/],
        also: ({ health, outbox }) =>
          health.body?.checks?.[`${outbox}:clock`]?.[0]?.status === "warn" ? [] : ["health does not warn of the clock"],
      },
    ],
    mend: async ({ stack }) => {
      await stack.stopConsole();
      await stack.startConsole();
    },
  };
}

export const consoleClockAhead = consoleClock("console-clock-ahead", 180_000);
export const consoleClockBehind = consoleClock("console-clock-behind", -180_000);

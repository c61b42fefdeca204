import type { Incident } from "../../incident.ts";
import { CLOCKED } from "./clocked.ts";

/** All times come from the database's clock, however wrong the relay host's clock is. */
function relayClock(name: string, clockShiftMs: number): Incident {
  return {
    name,
    stack: "clocks",
    outboxes: [CLOCKED],
    produce: async (scene) => {
      await scene.stack.stopWorker();
      await scene.stack.startWorker({ clockShiftMs });
      await scene.sink.down();
      await scene.begin();
      await scene.writeMany(6, "order.placed", 6);
    },
    stages: [
      {
        word: "not_delivering",
        rule: "sink_unavailable",
        cause: [/ECONNREFUSED/, /since .*\d\d:\d\d/],
        also: ({ snapshot }, scene) => {
          const since = snapshot.body?.verdict.since ?? "";
          return since >= scene.beganAt.slice(0, 19)
            ? []
            : [`it is so since ${since}, and it began at ${scene.beganAt}`];
        },
        steadyReadings: 3,
      },
    ],
    mend: async ({ sink, stack }) => {
      await sink.up();
      await stack.stopWorker();
      await stack.startWorker();
    },
  };
}

export const relayClockAhead = relayClock("relay-clock-ahead", 180_000);
export const relayClockBehind = relayClock("relay-clock-behind", -180_000);

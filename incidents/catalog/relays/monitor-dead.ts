import type { Incident } from "../../incident.ts";
import { ORDERS } from "../orders.ts";

/** Relays run, but no monitor does. */
export const monitorDead: Incident = {
  name: "monitor-dead",
  stack: "processes",
  outboxes: [ORDERS],
  produce: async (scene) => {
    await scene.stack.killWorker();
    await scene.stack.startWorker({ program: "relay" });
    scene.traffic({ eventType: "order.placed", perSecond: 3, aggregates: 10 });
  },
  stages: [
    {
      status: "warn",
      rule: "monitor_down",
      cause: [/monitor/i],
      also: ({ snapshot }) =>
        snapshot.body?.monitor?.alive === false ? [] : ["the snapshot does not say that no monitor runs"],
      steadyReadings: 3,
      withinSeconds: 60,
    },
  ],
  mend: async ({ stack }) => {
    await stack.stopWorker();
    await stack.startWorker();
  },
};

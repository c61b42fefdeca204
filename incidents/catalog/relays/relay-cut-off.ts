import type { Incident } from "../../incident.ts";
import { ORDERS } from "../orders.ts";

/** The worker's connection to the database drops all packets; the console's works. */
export const relayCutOff: Incident = {
  name: "relay-cut-off",
  stack: "processes",
  outboxes: [ORDERS],
  produce: async (scene) => {
    scene.stack.workerLine.pause();
    await scene.writeMany(6, "order.placed", 6);
  },
  stages: [
    {
      word: "not_delivering",
      status: "fail",
      rule: "no_relay_alive",
      cause: [/no relay/i, /\b6 (messages? )?waits?/],
      steadyReadings: 3,
    },
  ],
  mend: async ({ stack }) => {
    stack.workerLine.cut();
    await stack.workerLine.resume();
  },
};

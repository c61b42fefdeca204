import type { Incident } from "../../incident.ts";
import { ORDERS } from "../orders.ts";

/** The relay is killed with -9, and none takes over. */
export const relayKilled: Incident = {
  name: "relay-killed",
  stack: "processes",
  outboxes: [ORDERS],
  produce: async (scene) => {
    await scene.stack.killWorker();
    await scene.writeMany(8, "order.placed", 4);
  },
  stages: [
    {
      word: "not_delivering",
      status: "fail",
      rule: "no_relay_alive",
      cause: [/no relay/i, /since .*\d\d:\d\d|heartbeat/, /\b8 (messages? )?waits?/],
      steadyReadings: 3,
    },
  ],
  mend: ({ stack }) => stack.startWorker(),
};

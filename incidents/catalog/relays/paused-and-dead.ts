import type { Incident } from "../../incident.ts";
import { ORDERS } from "../orders.ts";

/** The outbox is paused on purpose, and the relay that should resume it is dead. */
export const pausedAndDead: Incident = {
  name: "paused-and-dead",
  stack: "processes",
  outboxes: [ORDERS],
  produce: async (scene) => {
    await scene.pause();
    await scene.stack.killWorker();
    await scene.writeMany(5, "order.placed", 5);
  },
  stages: [{ status: "fail", mentions: [/pause/i, /no relay|relay is (not )?alive|dead/i], steadyReadings: 3 }],
  mend: async (scene) => {
    await scene.resume();
    await scene.stack.startWorker();
  },
};

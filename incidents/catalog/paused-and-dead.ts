import type { Incident } from "../incident.ts";
import { ORDERS } from "./orders.ts";

/** Paused on purpose, and the relay that should go on afterwards is dead. */
export const pausedAndDead: Incident = {
  name: "paused-and-dead",
  stack: "processes",
  outboxes: [ORDERS],
  produce: async (scene) => {
    await scene.pause();
    await scene.stack.killWorker();
    await scene.writeMany(5, "order.placed", 5);
  },
  stages: [{ status: "fail", told: [/pause/i, /no relay|relay is (not )?alive|dead/i], steadyReadings: 3 }],
  mend: async (scene) => {
    await scene.resume();
    await scene.stack.startWorker();
  },
};

import type { Incident } from "../../incident.ts";
import { createSlot, dropSlot, SLOT, STREAMED } from "./streamed.ts";

/** The slot was dropped, so the relay polls. */
export const slotDropped: Incident = {
  name: "slot-dropped",
  stack: "slots",
  outboxes: [STREAMED],
  produce: async (scene) => {
    scene.traffic({ eventType: "order.placed", perSecond: 3, aggregates: 10 });
    await dropSlot(scene.pool);
  },
  stages: [
    {
      status: ["warn", "fail"],
      rule: "slot_lag",
      cause: [new RegExp(SLOT), /gone|dropped|not there|missing/i],
      steadyReadings: 3,
      proves: async (scene) => scene.received(await scene.writeMany(5, "order.placed", 5)),
    },
  ],
  mend: ({ pool }) => createSlot(pool),
};

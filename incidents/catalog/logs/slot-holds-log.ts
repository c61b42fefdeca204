import type { Incident } from "../../incident.ts";
import { SLOT, STREAMED, walSender, writeLog } from "./streamed.ts";

/** The slot's reader hangs on the server, so our relay polls: everything is delivered, and WAL fills the disk. */
export const slotHoldsLog: Incident = {
  name: "slot-holds-log",
  stack: "slots",
  outboxes: [STREAMED],
  produce: async (scene) => {
    const pid = await walSender(scene.pool);
    process.kill(pid, "SIGSTOP");
    scene.onClose(async () => process.kill(pid, "SIGCONT"));
    await writeLog(scene.pool);
    scene.traffic({ eventType: "order.placed", perSecond: 3, aggregates: 10 });
  },
  stages: [
    {
      status: ["warn", "fail"],
      rule: "slot_lag",
      cause: [new RegExp(SLOT), /1[.,]\d+ ?GB|1,?[1-3]\d\d ?MB/],
      proves: async (scene) => scene.received(await scene.writeMany(5, "order.placed", 5)),
    },
  ],
  mend: (scene) => scene.close(),
  mendWithinSeconds: 120,
};

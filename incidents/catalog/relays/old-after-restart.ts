import type { Incident } from "../../incident.ts";
import { ORDERS } from "../orders.ts";

const AGE_SECONDS = 240;
const MESSAGES = 251;

/** A restarted relay claims all waiting messages at once: they are in flight, and four minutes old. */
export const oldAfterRestart: Incident = {
  name: "old-after-restart",
  stack: "processes",
  outboxes: [ORDERS],
  produce: async (scene) => {
    await scene.stack.killWorker();
    scene.sink.answer(() => "hang");
    await scene.writeMany(MESSAGES, "order.placed", MESSAGES, { ageSeconds: AGE_SECONDS });
    await scene.stack.startWorker();
    await scene.begin();
  },
  stages: [
    {
      status: "fail",
      also: ({ snapshot }) =>
        (snapshot.body?.oldestPending?.ageSeconds ?? 0) >= AGE_SECONDS
          ? []
          : ["the age of what was claimed is not shown"],
    },
  ],
  never: ({ snapshot, health }) => {
    if (snapshot.body === null) return null;
    if (snapshot.body.oldestPending === null) return "messages of four minutes have no age";
    return health.body?.status === "pass" ? "health passes over messages of four minutes" : null;
  },
  mend: async ({ sink }) => sink.heal(),
};

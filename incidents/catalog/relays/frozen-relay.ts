import type { Incident } from "../../incident.ts";
import { ORDERS } from "../orders.ts";

/** The worker's process is frozen with messages in flight: they are unpublished, and have an age. */
export const frozenRelay: Incident = {
  name: "frozen-relay",
  stack: "processes",
  outboxes: [ORDERS],
  produce: async (scene) => {
    let asked = 0;
    scene.sink.answer(() => {
      asked += 1;
      if (asked === 1) scene.stack.signalWorker("SIGSTOP");
      return "hang";
    });
    await scene.writeMany(40, "order.placed", 40);
  },
  stages: [
    {
      word: "not_delivering",
      status: "fail",
      rule: "no_relay_alive",
      cause: [/no relay/i, /\b40 (messages? )?waits?/],
      also: ({ snapshot }) =>
        (snapshot.body?.oldestPending?.ageSeconds ?? 0) > 5 ? [] : ["what is in flight has no age"],
    },
  ],
  mend: async ({ sink, stack }) => {
    sink.heal();
    stack.signalWorker("SIGCONT");
  },
};

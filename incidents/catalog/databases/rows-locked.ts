import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

/** A report locks three rows, so that they cannot be marked. */
export const rowsLocked: Incident = {
  name: "rows-locked",
  stack: "tables",
  outboxes: [outboxSpec("rows-locked", RELAYED)],
  produce: async (scene) => {
    const ids = await scene.writeMany(3, "order.placed", 3, { dueInSeconds: 2 });
    await scene.lockRows("billing-report", ids);
    scene.traffic({ eventType: "order.placed", perSecond: 3, aggregates: 50 });
    await scene.begin();
  },
  stages: [
    {
      rule: "locked",
      cause: [/billing-report/, /pid \d+/, /\b3 (waiting )?(rows|messages)/, /since .*\d\d:\d\d/],
      status: ["warn", "fail"],
      steadyReadings: 3,
      // The other rows are marked meanwhile.
      proves: async (scene) => scene.marked(await scene.writeMany(5, "order.placed", 5)),
    },
  ],
  mend: (scene) => scene.close(),
};

import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

/** The receiver rejects messages of that size. */
export const typeTooLarge: Incident = {
  name: "type-too-large",
  stack: "sinks",
  outboxes: [outboxSpec("type-too-large", RELAYED)],
  produce: async (scene) => {
    scene.sink.answer(({ eventType }) => (eventType === "report.exported" ? { status: 413, body: "over 1 MB" } : null));
    await scene.writeMany(150, "report.exported", 30);
    scene.traffic({ eventType: "order.placed", perSecond: 3, aggregates: 20 });
  },
  stages: [
    {
      word: "in_part",
      status: "fail",
      rule: "dead_letters",
      cause: [/report\.exported/, /413|too large/i, /150/],
      steadyReadings: 3,
    },
  ],
  mend: async (scene) => {
    scene.sink.heal();
    await scene.retry("dead");
  },
};

import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

const DEAD = 2000;

/**
 * Thousands of messages of one type die at once, and one aggregate is blocked as well: the larger fault ranks first.
 */
export const typeRejected: Incident = {
  name: "type-rejected",
  stack: "sinks",
  outboxes: [outboxSpec("type-rejected", RELAYED)],
  produce: async (scene) => {
    scene.sink.answer(({ eventType, aggregateId }) => {
      if (eventType === "payment.captured") return { status: 422, body: "amount must be positive" };
      return aggregateId === "refund-7" ? { status: 500, body: "ledger is closed" } : null;
    });
    await scene.writeMany(4, "refund.issued", 1, { aggregateId: "refund-7" });
    await scene.writeMany(DEAD, "payment.captured", 200);
    scene.traffic({ eventType: "payment.captured", perSecond: 2, aggregates: 200 });
    scene.traffic({ eventType: "order.placed", perSecond: 3, aggregates: 20 });
  },
  stages: [
    {
      word: "in_part",
      status: "fail",
      rule: "dead_letters",
      cause: [
        /payment\.captured/,
        /422/,
        /2,0\d\d|at least \d/,
        /\d in the last minute|\d (a|per) (second|minute|hour)/,
      ],
      more: [/^and 1 more: /, /refund/],
      steadyReadings: 4,
    },
  ],
  mend: async (scene) => {
    scene.sink.heal();
    await scene.endTraffic();
    await scene.retryInBulk("dead");
  },
};

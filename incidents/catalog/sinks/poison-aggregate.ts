import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

/** One message fails permanently and blocks its aggregate; the sentence must not flip with its retries. */
export const poisonAggregate: Incident = {
  name: "poison-aggregate",
  stack: "tables",
  outboxes: [outboxSpec("poison-aggregate", RELAYED)],
  produce: async (scene) => {
    scene.sink.answer(({ aggregateId }) =>
      aggregateId === "order-13" ? { status: 500, body: "sku 4711 is gone" } : null,
    );
    await scene.writeMany(10, "order.changed", 1, { aggregateId: "order-13" });
    scene.traffic({ eventType: "order.changed", perSecond: 5, aggregates: 10 });
  },
  stages: [
    {
      word: "in_part",
      rule: "blocked_aggregate",
      cause: [/order-13/, /order\.changed/, /HTTP 500/, /\b(9|10)\b/],
      steadyReadings: 20,
      sameWords: true,
    },
  ],
  mend: async ({ sink }) => sink.heal(),
};

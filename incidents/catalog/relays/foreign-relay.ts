import type { Incident } from "../../incident.ts";
import { startForeignRelay } from "../../world/foreign-relay.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

const OURS = 0.13;

/** A forgotten publisher is started again and takes most messages from our relay. */
export const foreignRelay: Incident = {
  name: "foreign-relay",
  stack: "tables",
  outboxes: [outboxSpec("foreign-relay", RELAYED)],
  produce: async (scene) => {
    const other = await startForeignRelay(scene.pool.options.connectionString ?? "", scene.table);
    scene.onClose(() => other.stop());
    scene.traffic({
      eventType: "order.placed",
      perSecond: 60,
      aggregates: 50,
      afterCommit: async (ids) => {
        if (Math.random() < OURS) return;
        await other.publish(ids);
        for (const id of ids) if (other.published.has(id)) scene.deliveredByOthers.add(id);
      },
    });
  },
  stages: [
    {
      rule: "foreign_relay",
      status: ["warn", "fail"],
      cause: [/publish/i, /relay|somebody|someone|else|other/i, /\d/],
      withinSeconds: 30,
      steadyReadings: 4,
    },
  ],
  mend: async (scene) => {
    await scene.endTraffic();
    await scene.writeMany(5, "order.placed", 5);
  },
  mendWithinSeconds: 120,
};

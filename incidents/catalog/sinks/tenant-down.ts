import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

const FAR_MORE_THAN_A_PROBE_MS = 15_000;

/** The receiver of one tenant is down: its aggregates are blocked, and the same type goes on for all others. */
export const tenantDown: Incident = {
  name: "tenant-down",
  stack: "sinks",
  outboxes: [outboxSpec("tenant-down", RELAYED)],
  produce: async (scene) => {
    scene.sink.answer(({ aggregateId }) =>
      aggregateId.startsWith("acme") ? { status: 503, body: "acme is offline" } : null,
    );
    scene.traffic({ eventType: "order.placed", perSecond: 6, aggregates: 20 });
    await scene.write(
      Array.from({ length: 8 }, (_, n) => ({ eventType: "order.placed", aggregateId: `acme-${n % 4}` })),
    );
  },
  stages: [
    {
      word: "in_part",
      rule: "blocked_aggregate",
      cause: [/HTTP 503: acme is offline/],
      steadyReadings: 2,
      proves: async (scene) => scene.received(await scene.writeMany(10, "order.placed", 10), FAR_MORE_THAN_A_PROBE_MS),
    },
  ],
  mend: async ({ sink }) => sink.heal(),
};

import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

/** 48 s at the receiver's speed: late for long enough that a busy machine reads it several times. */
const BURST = 4800;

function burst(name: string, oldestPending: { warn: string; fail: string }): Omit<Incident, "stages"> {
  return {
    name,
    stack: "sinks",
    outboxes: [
      outboxSpec(name, RELAYED, {
        config: { thresholds: { oldestPending } },
        relay: { concurrency: 4, batchSize: 100 },
      }),
    ],
    produce: async (scene) => {
      scene.sink.answer(() => ({ status: 204, delayMs: 40 }));
      await scene.writeMany(BURST, "order.placed", 400);
    },
    mend: async ({ sink }) => sink.heal(),
  };
}

/** A burst drains at the receiver's speed: messages are late, and nothing is broken. */
export const burstDrains: Incident = {
  ...burst("burst-drains", { warn: "5s", fail: "120s" }),
  stages: [
    {
      word: "late",
      status: "warn",
      title: /^Late, draining: done in about \d+/,
      steadyReadings: 3,
    },
  ],
  never: ({ snapshot, health }) =>
    snapshot.body?.verdict.status === "fail" || health.code === 503
      ? "it failed although it drains within its limit"
      : null,
};

/** The same, but the age limit is exceeded. */
export const burstDrainsTooLate: Incident = {
  ...burst("burst-drains-too-late", { warn: "3s", fail: "12s" }),
  stages: [{ word: ["late", "not_delivering"], status: "fail", title: /draining.*\d+/i }],
};

import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec, THRESHOLDS } from "../../world/stack-config.ts";

const FAIL_SECONDS = Number.parseInt(THRESHOLDS.oldestPending.fail, 10);

/** 429 is a request to wait: a warning until the oldest message is over its limit. */
export const sinkThrottles: Incident = {
  name: "sink-throttles",
  stack: "sinks",
  outboxes: [outboxSpec("sink-throttles", RELAYED)],
  produce: async (scene) => {
    scene.sink.answer(() => ({ status: 429, headers: { "retry-after": "4" }, body: "slow down" }));
    scene.traffic({ eventType: "order.placed", perSecond: 3, aggregates: 10 });
  },
  stages: [
    { status: "warn", rule: "sink_unavailable", cause: [/429|throttl/i, /waits?/] },
    { name: "sink-throttles, over the limit", status: "fail", rule: "sink_unavailable", cause: [/429|throttl/i] },
  ],
  never: ({ snapshot, health }) => {
    const age = snapshot.body?.oldestPending?.ageSeconds ?? Number.POSITIVE_INFINITY;
    const failed = snapshot.body?.verdict.status === "fail" || (health.code === 503 && age < FAIL_SECONDS - 3);
    return failed && age < FAIL_SECONDS ? "it failed before the oldest message was over its limit" : null;
  },
  mend: async ({ sink }) => sink.heal(),
};

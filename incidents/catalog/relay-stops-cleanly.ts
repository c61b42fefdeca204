import type { Incident } from "../incident.ts";
import { ORDERS } from "./orders.ts";

const GRACE_MS = 9000;
let stoppedMs = Number.POSITIVE_INFINITY;

/** A deployment: a warning for ten seconds, and a failure when nothing comes back. */
export const relayStopsCleanly: Incident = {
  name: "relay-stops-cleanly",
  stack: "processes",
  outboxes: [ORDERS],
  produce: async (scene) => {
    await scene.stack.stopWorker();
    stoppedMs = performance.now();
    await scene.begin();
    await scene.writeMany(3, "order.placed", 3);
  },
  stages: [
    { status: "warn", cause: [/restart/i], withinSeconds: 9 },
    {
      name: "relay-stops-cleanly, and does not return",
      word: "not_delivering",
      status: "fail",
      rule: "no_relay_alive",
      cause: [/no relay/i],
    },
  ],
  never: ({ health, snapshot, atMs }) =>
    atMs - stoppedMs < GRACE_MS && (health.code === 503 || snapshot.body?.verdict.status === "fail")
      ? "it failed within the ten seconds of a restart"
      : null,
  mend: ({ stack }) => stack.startWorker(),
};

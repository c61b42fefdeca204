import { healthInstant } from "../../check/reading.ts";
import type { Incident } from "../../incident.ts";
import { ORDERS } from "../orders.ts";

/** Less than the ten seconds of grace, which start when the relay reports its stop. The incident starts at its exit. */
const GRACE_MS = 7000;

/** Compares times of the database's clock, so a slow answer does not matter. */
const failedTooSoon = (asOf: string | null | undefined, failed: boolean, beganAt: string) =>
  failed && asOf != null && Date.parse(asOf) - Date.parse(beganAt) < GRACE_MS;

/** A deployment: a warning for ten seconds, then a failure if no relay returns. */
export const relayStopsCleanly: Incident = {
  name: "relay-stops-cleanly",
  stack: "processes",
  outboxes: [ORDERS],
  produce: async (scene) => {
    await scene.stack.stopWorker();
    await scene.begin();
    await scene.writeMany(3, "order.placed", 3);
  },
  stages: [
    { status: "warn", cause: [/restart/i], withinSeconds: 20 },
    {
      name: "relay-stops-cleanly, and does not return",
      word: "not_delivering",
      status: "fail",
      rule: "no_relay_alive",
      cause: [/no relay/i],
    },
  ],
  never: (reading, { beganAt }) =>
    failedTooSoon(healthInstant(reading), reading.health.code === 503, beganAt) ||
    failedTooSoon(reading.snapshot.body?.asOf, reading.snapshot.body?.verdict.status === "fail", beganAt)
      ? "it failed within the ten seconds of a restart"
      : null,
  mend: ({ stack }) => stack.startWorker(),
};

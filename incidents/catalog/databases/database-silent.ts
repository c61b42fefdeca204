import type { Incident, Stage } from "../../incident.ts";
import { ORDERS } from "../orders.ts";

/** A surface itself answers within 3 s; the rest allows for a machine that runs all incidents at once. */
const ANSWERS_WITHIN_MS = 8000;

function silence(reason: RegExp): Stage {
  return {
    word: ["unknown", "not_delivering"],
    status: "fail",
    cause: [/database/i, reason],
    unreadable: true,
    also: ({ health, wholeHealth, list, outbox }) => [
      ...(health.tookMs > ANSWERS_WITHIN_MS ? [`health took ${health.tookMs} ms`] : []),
      ...(wholeHealth.tookMs > ANSWERS_WITHIN_MS ? [`the whole health took ${wholeHealth.tookMs} ms`] : []),
      ...(list.tookMs > ANSWERS_WITHIN_MS ? [`the list took ${list.tookMs} ms`] : []),
      ...(list.body?.outboxes.find(({ name }) => name === outbox)?.problem ? [] : ["the list does not say why"]),
    ],
  };
}

/** The database host drops all packets: no answer, no refusal. */
export const databaseSilent: Incident = {
  name: "database-silent",
  stack: "processes",
  outboxes: [ORDERS],
  produce: async ({ stack }) => {
    stack.consoleLine.pause();
    stack.workerLine.pause();
  },
  stages: [{ ...silence(/answer|time|silent/i), steadyReadings: 3 }],
  mend: async (scene) => {
    scene.stack.consoleLine.cut();
    scene.stack.workerLine.cut();
    await Promise.all([scene.stack.consoleLine.resume(), scene.stack.workerLine.resume()]);
    await scene.writeMany(5, "order.placed", 5);
  },
};

/** Nobody listens at the database's address. */
export const databaseDown: Incident = {
  name: "database-down",
  stack: "processes",
  outboxes: [ORDERS],
  produce: async ({ stack }) => {
    await Promise.all([stack.consoleLine.refuse(), stack.workerLine.refuse()]);
  },
  stages: [{ ...silence(/refuse|reach|answer/i), steadyReadings: 3 }],
  mend: async (scene) => {
    await Promise.all([scene.stack.consoleLine.resume(), scene.stack.workerLine.resume()]);
    await scene.writeMany(5, "order.placed", 5);
  },
};

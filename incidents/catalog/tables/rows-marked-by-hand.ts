import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

const MESSAGES = 40;

/** While the sink is down, an application's UPDATE marks all that waits as published; then the sink is back. */
export const rowsMarkedByHand: Incident = {
  name: "rows-marked-by-hand",
  stack: "sinks",
  outboxes: [outboxSpec("rows-marked-by-hand", RELAYED)],
  produce: async (scene) => {
    await scene.sink.down();
    // Not by `write`: nobody is to receive them.
    await scene.store.insert(
      scene.table,
      Array.from({ length: MESSAGES }, (_, n) => ({ eventType: "order.placed", aggregateId: `order-${n}` })),
    );
  },
  stages: [
    { name: "rows-marked-by-hand, before", rule: "sink_unavailable", word: "not_delivering", cause: [/40 wait/] },
    {
      before: async (scene) => {
        await scene.store.run(`UPDATE ${scene.table} SET published_at = clock_timestamp() WHERE published_at IS NULL`);
        await scene.sink.up();
        await scene.begin();
      },
      word: "at_risk",
      status: "warn",
      mentions: [
        /marked at least 40 messages as published that our relay has not sent/,
        /failed when it was last tried/,
      ],
      steadyReadings: 3,
    },
  ],
  never: ({ snapshot }) =>
    snapshot.body?.counts.pending.value === 0 && snapshot.body.verdict.word === "not_delivering"
      ? "nothing waits, and it is said not to deliver"
      : null,
  mend: async (scene) => {
    await scene.writeMany(3, "order.placed", 3);
  },
  mendWithinSeconds: 100,
};

import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

/** A migration locks the whole table: nobody can write, publish or count. */
export const tableLocked: Incident = {
  name: "table-locked",
  stack: "tables",
  outboxes: [outboxSpec("table-locked", RELAYED)],
  produce: async (scene) => {
    const session = await scene.session("nightly-migration");
    await session.query(`LOCK TABLE ${scene.table} IN ACCESS EXCLUSIVE MODE`);
    await scene.begin();
  },
  stages: [
    {
      word: ["not_delivering", "unknown"],
      status: "fail",
      cause: [/nightly-migration/, /pid \d+/, /table/, /since .*\d\d:\d\d/],
      unreadable: true,
    },
  ],
  mend: async (scene) => {
    await scene.close();
    await scene.writeMany(5, "order.placed", 5);
  },
};

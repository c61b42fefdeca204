import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

/** A producer's clock is ahead of the database's. */
export const writtenInTheFuture: Incident = {
  name: "written-in-the-future",
  stack: "tables",
  outboxes: [outboxSpec("written-in-the-future", RELAYED)],
  produce: async (scene) => {
    await scene.pause();
    await scene.writeMany(3, "order.placed", 3, { ageSeconds: -180 });
  },
  stages: [{ mentions: [/clock|in the future/i, /paused|deploying/i] }],
  mend: async (scene) => {
    await scene.resume();
    await scene.pool.query(`UPDATE ${scene.table} SET created_at = now() WHERE created_at > now()`);
  },
};

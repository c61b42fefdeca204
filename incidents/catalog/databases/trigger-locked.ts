import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

/** A trigger of the table counts what was sent in another table, and a report locks that: no mark gets through. */
export const triggerLocked: Incident = {
  name: "trigger-locked",
  stack: "tables",
  outboxes: [outboxSpec("trigger-locked", RELAYED)],
  produce: async (scene) => {
    const { table, store } = scene;
    await store.run(`CREATE TABLE sent_per_day (messages int);
      CREATE FUNCTION count_sent() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN UPDATE sent_per_day SET messages = messages + 1; RETURN NULL; END $$;
      CREATE TRIGGER count_sent AFTER UPDATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION count_sent()`);
    const session = await scene.session("daily-report");
    await session.query("LOCK TABLE sent_per_day IN ACCESS EXCLUSIVE MODE");
    await scene.writeMany(6, "order.placed", 6);
    await scene.begin();
  },
  stages: [
    {
      rule: "locked",
      status: ["warn", "fail"],
      cause: [/daily-report \(pid \d+\) holds the table sent_per_day locked/, /\b6 wait/],
      steadyReadings: 3,
    },
  ],
  mend: async (scene) => {
    await scene.close();
    await scene.store.run("DROP FUNCTION count_sent CASCADE");
  },
};

import type { Incident } from "../../incident.ts";
import { RELAYED_MYSQL } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

const LOGGED = outboxSpec("mysql-logged", RELAYED_MYSQL, { relay: { source: "cdc" } });

/** The server has removed the part of its binary log that the relay had yet to read, so the relay polls. */
export const mysqlLogPurged: Incident = {
  name: "mysql-log-purged",
  stack: "mysql",
  outboxes: [LOGGED],
  produce: async (scene) => {
    await scene.stack.stopWorker();
    await scene.writeMany(5, "order.placed", 5);
    await scene.store.run("FLUSH LOGS; PURGE BINARY LOGS BEFORE UTC_TIMESTAMP() + INTERVAL 1 HOUR");
    await scene.begin();
    await scene.stack.startWorker();
  },
  stages: [
    {
      status: ["warn", "fail"],
      rule: "slot_lag",
      cause: [/log/i, /removed|lost|purged|gone/i],
      steadyReadings: 3,
      proves: async (scene) => scene.received(await scene.writeMany(5, "order.placed", 5)),
    },
  ],
  mend: async ({ stack, store }) => {
    await store.run("DELETE FROM outbox_console.binlog_reader");
    await stack.createStreams();
  },
};

import type { Incident } from "../../incident.ts";
import { MYSQL_ORDERS } from "../on-mysql.ts";

/** After a failover that nobody noticed, the address leads to a replica. */
export const mysqlReadOnly: Incident = {
  name: "mysql-read-only",
  stack: "mysql",
  outboxes: [MYSQL_ORDERS],
  produce: async (scene) => {
    await scene.store.run("SET GLOBAL read_only = 1");
    await scene.begin();
    await scene.writeMany(6, "order.placed", 6);
  },
  stages: [
    {
      word: "not_delivering",
      rule: "read_only",
      cause: [/takes no writes \(the server is read-only\)/, /\b6 wait/],
      steadyReadings: 3,
    },
  ],
  mend: ({ store }) => store.run("SET GLOBAL read_only = 0"),
};

import type { Incident } from "../../incident.ts";
import { DATABASE, RELAY_ACCOUNT } from "../../world/stores/mysql-incident-store.ts";
import { MYSQL_ORDERS } from "../on-mysql.ts";

const GRANT = `INSERT, UPDATE, DELETE ON ${DATABASE}.${MYSQL_ORDERS.table}`;

/** Somebody tidied up the relay's account: it may only read the table. */
export const mysqlGrantsRevoked: Incident = {
  name: "mysql-grants-revoked",
  stack: "mysql",
  outboxes: [MYSQL_ORDERS],
  produce: async (scene) => {
    await scene.store.run(`REVOKE ${GRANT} FROM ${RELAY_ACCOUNT}`);
    await scene.begin();
    await scene.writeMany(6, "order.placed", 6);
  },
  stages: [
    {
      word: "not_delivering",
      rule: "no_progress",
      cause: [/cannot mark what it has published/, /(?:UPDATE|SELECT with locking clause) command denied/],
      steadyReadings: 6,
    },
  ],
  mend: ({ store }) => store.run(`GRANT ${GRANT} TO ${RELAY_ACCOUNT}`),
};

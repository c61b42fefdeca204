import mysql from "mysql2/promise";
import type { Incident } from "../../incident.ts";
import { MYSQL_ORDERS } from "../on-mysql.ts";

const XID = "'bank','42',1";

/** A transaction manager has died after it prepared a transaction, whose locks belong to no session. */
export const mysqlPrepared: Incident = {
  name: "mysql-prepared",
  stack: "mysql",
  outboxes: [MYSQL_ORDERS],
  produce: async (scene) => {
    const ids = await scene.writeMany(3, "order.placed", 3, { dueInSeconds: 2 });
    const manager = await mysql.createConnection({
      host: "127.0.0.1",
      port: scene.store.port,
      user: "root",
      database: "shop",
    });
    // At REPEATABLE READ it would lock the places between rows too.
    await manager.query("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
    await manager.query(`XA START ${XID}`);
    await manager.query(`SELECT id FROM ${scene.table} WHERE id IN (?) FOR UPDATE`, [ids]);
    await manager.query(`UPDATE ${scene.table} SET payload = '{"touched": true}' WHERE id IN (?)`, [ids]);
    await manager.query(`XA END ${XID}`);
    await manager.query(`XA PREPARE ${XID}`);
    await manager.end();
    scene.traffic({ eventType: "order.placed", perSecond: 3, aggregates: 50 });
    await scene.begin();
  },
  stages: [
    {
      rule: "locked",
      // The relay's account may not list names.
      cause: [/the prepared transaction number \d+ holds 3 waiting rows locked/, /since .*\d\d:\d\d/],
      status: ["warn", "fail"],
      steadyReadings: 3,
    },
  ],
  mend: ({ store }) => store.run(`XA ROLLBACK ${XID}`),
};

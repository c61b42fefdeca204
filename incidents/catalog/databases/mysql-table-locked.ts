import mysql from "mysql2/promise";
import type { Incident } from "../../incident.ts";
import { MYSQL_ORDERS } from "../on-mysql.ts";

/** A dump has locked the table, and hangs: nobody can write, publish or count. */
export const mysqlTableLocked: Incident = {
  name: "mysql-table-locked",
  stack: "mysql",
  outboxes: [MYSQL_ORDERS],
  produce: async (scene) => {
    await scene.begin();
    const dump = await mysql.createConnection({
      host: "127.0.0.1",
      port: scene.store.port,
      user: "root",
      database: "shop",
      connectAttributes: { program_name: "nightly-dump" },
    });
    scene.onClose(() => dump.end());
    await dump.query(`LOCK TABLES ${scene.table} WRITE`);
  },
  stages: [
    {
      word: ["not_delivering", "unknown"],
      status: "fail",
      cause: [/nightly-dump \(pid \d+\) holds the whole outbox table locked/, /since .*\d\d:\d\d/],
      unreadable: true,
    },
  ],
  mend: async (scene) => {
    await scene.close();
    await scene.writeMany(6, "order.placed", 6);
  },
};

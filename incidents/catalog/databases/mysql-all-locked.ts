import mysql from "mysql2/promise";
import type { Incident } from "../../incident.ts";
import { MYSQL_ORDERS } from "../on-mysql.ts";

/** A backup has locked every table for writes, and hangs: a relay that runs cannot say so. */
export const mysqlAllLocked: Incident = {
  name: "mysql-all-locked",
  stack: "mysql",
  outboxes: [MYSQL_ORDERS],
  produce: async (scene) => {
    await scene.begin();
    const backup = await mysql.createConnection({
      host: "127.0.0.1",
      port: scene.store.port,
      user: "root",
      connectAttributes: { program_name: "nightly-backup" },
    });
    scene.onClose(() => backup.end());
    await backup.query("FLUSH TABLES WITH READ LOCK");
  },
  stages: [
    {
      word: "not_delivering",
      rule: "read_only",
      cause: [/takes no writes \(nightly-backup \(pid \d+\) has locked all tables for writes/],
      steadyReadings: 3,
    },
  ],
  mend: async (scene) => {
    await scene.close();
    await scene.writeMany(6, "order.placed", 6);
  },
};
